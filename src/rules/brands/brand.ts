/** What a brand applies to: the tasks of an account, or of one project in place of that. */
export const brandScopes = ['account', 'project'] as const;
export type BrandScope = (typeof brandScopes)[number];

/** The themes of the design kit that a brand can begin with. */
export const brandThemes = ['report', 'deck', 'editorial', 'technical', 'keynote', 'minimal', 'academic', 'playful'] as const;
export type BrandTheme = (typeof brandThemes)[number];

/** The families of the design kit. */
export const brandFamilies = [
  ...(['Inter', 'Manrope', 'Nunito', 'Source Serif 4', 'EB Garamond', 'Fraunces', 'JetBrains Mono'] as const),
] as const;
export type BrandFamily = (typeof brandFamilies)[number];

export const templateForms = ['docx', 'pptx', 'xlsx'] as const;
export type TemplateForm = (typeof templateForms)[number];

export const fontPlaces = ['heading', 'text'] as const;
export type FontPlace = (typeof fontPlaces)[number];

/** Sizes in bytes, lengths in characters. */
export const brandLimits = {
  nameLength: 80,
  footerLength: 200,
  chartColors: 6,
  logoBytes: 256 * 1024,
  fontBytes: 2 * 1024 * 1024,
  templateBytes: 10 * 1024 * 1024,
};

/** A file of a brand. It stays when the upload that it came from is gone. */
export interface BrandFile {
  blobId: string;
  filename: string;
  bytes: number;
  /** Format found in the bytes, as a file extension. */
  form: 'svg' | 'png' | 'woff2' | 'ttf' | TemplateForm;
}

/** Colors such as `#0b57b0`. */
export interface BrandColors {
  accent?: string;
  text?: string;
  background?: string;
  chart: readonly string[];
}

/** The look of an account or project. */
export interface Brand {
  /** Empty for none. */
  name: string;
  theme: BrandTheme;
  colors: BrandColors;
  fonts: Partial<Record<FontPlace, BrandFamily | BrandFile>>;
  logo: BrandFile | null;
  templates: Partial<Record<TemplateForm, BrandFile>>;
  /** Text at the foot of every printed page; empty for none. */
  footer: string;
}

/** What a request changes; null removes it. */
export interface BrandChanges {
  name?: string | null | undefined;
  theme?: BrandTheme | null | undefined;
  colors?:
    | { accent?: string | null; text?: string | null; background?: string | null; chart?: readonly string[] | null }
    | undefined;
  fonts?: Partial<Record<FontPlace, BrandFamily | BrandFile | null>> | undefined;
  logo?: BrandFile | null | undefined;
  templates?: Partial<Record<TemplateForm, BrandFile | null>> | undefined;
  footer?: string | null | undefined;
}

/** A brand before anything is set. */
export const emptyBrand: Brand = {
  name: '',
  theme: 'report',
  colors: { chart: [] },
  fonts: {},
  logo: null,
  templates: {},
  footer: '',
};

/** Changed fields of an object in place of its former ones, without those that are removed. */
function mergeFields<Fields extends object>(
  former: Fields,
  changes: { [Key in keyof Fields]?: Fields[Key] | null | undefined } = {},
): Fields {
  const entries = Object.entries({ ...former, ...dropUnnamed(changes) });
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as Fields;
}

function dropUnnamed(changes: object): object {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** A brand with these changes. */
export function changeBrand(former: Brand, { name, theme, colors, fonts, logo, templates, footer }: BrandChanges): Brand {
  return {
    name: name === undefined ? former.name : (name ?? ''),
    theme: theme === undefined ? former.theme : (theme ?? emptyBrand.theme),
    colors: mergeFields<BrandColors>(former.colors, colors && { ...colors, ...(colors.chart === null && { chart: [] }) }),
    fonts: mergeFields(former.fonts, fonts),
    logo: logo === undefined ? former.logo : logo,
    templates: mergeFields(former.templates, templates),
    footer: footer === undefined ? former.footer : (footer ?? ''),
  };
}

/** Whether a font is a file of the brand's own. */
export function isOwnFont(font: BrandFamily | BrandFile | undefined): font is BrandFile {
  return typeof font === 'object';
}

/** All files of a brand. */
export function listBrandFiles({ fonts, logo, templates }: Brand): BrandFile[] {
  const own = Object.values(fonts).filter(isOwnFont);
  return [...own, ...(logo ? [logo] : []), ...Object.values(templates)];
}
