import type { KitBrand } from '@errand/documents/kit';
import type { Workspace } from '@errand/sandbox/workspace';
import {
  type Brand,
  brandLimits,
  type BrandFile,
  fontPlaces,
  isOwnFont,
  type TemplateForm,
  templateForms,
} from '../../rules/brands/brand.ts';
import { fontFamilies, placeBrandFile, writeBrandStyles } from '../../rules/brands/brand-styles.ts';

/** Where the files of the brand are in the workspace of a task. */
const brandPlace = '.brand';

/** The brand of a task. */
export interface TaskBrand {
  facts: Brand;
  /** When it was last changed, in milliseconds. */
  updatedAtMs: number;
  /** The content of one of its files; null if it is gone. */
  read(file: BrandFile): Promise<Uint8Array | null>;
}

/** Where a template of the brand is, for the model. */
function placeTemplate(form: TemplateForm): string {
  return `${brandPlace}/template.${form}`;
}

/** Files that style sheets refer to, by their paths relative to them. */
function listStyled({ fonts, logo }: Brand): [path: string, file: BrandFile][] {
  const own = fontPlaces.flatMap((place): [string, BrandFile][] => {
    const font = fonts[place];
    return isOwnFont(font) ? [[placeBrandFile(place, font), font]] : [];
  });
  return [...own, ...(logo ? [[placeBrandFile('logo', logo), logo] as [string, BrandFile]] : [])];
}

async function readAll({ read }: TaskBrand, files: readonly [string, BrandFile][]): Promise<[string, Uint8Array][]> {
  const contents = files.map(async ([path, file]) => [path, await read(file)] as const);
  return (await Promise.all(contents)).flatMap(([path, bytes]) =>
    bytes === null ? [] : [[path, bytes] as [string, Uint8Array]],
  );
}

/** The colors and families of a brand, for files that hold no files of its own. */
export function lookOf({ facts }: TaskBrand): Pick<KitBrand, 'theme' | 'styles'> {
  return { theme: facts.theme, styles: writeBrandStyles(facts) };
}

/** What Word documents need of a brand. */
export async function wordLookOf(brand: TaskBrand): Promise<Pick<KitBrand, 'theme' | 'styles'> & { logo?: Uint8Array }> {
  const { logo } = brand.facts;
  const bytes = logo ? await brand.read(logo) : null;
  return { ...lookOf(brand), ...(bytes && { logo: bytes }) };
}

/** A brand as the design kit needs it. */
export async function dressOf(brand: TaskBrand): Promise<KitBrand> {
  const { fonts } = brand.facts;
  const families = Object.values(fonts).filter((font) => typeof font === 'string');
  const files = new Map(await readAll(brand, listStyled(brand.facts)));
  return { ...lookOf(brand), families, files };
}

/** The font of texts that was uploaded, by the family that the style sheet of the brand gives it; null for none. */
export async function readTextFont(brand: TaskBrand): Promise<ReadonlyMap<string, Uint8Array> | null> {
  const { text } = brand.facts.fonts;
  if (!isOwnFont(text)) return null;
  const bytes = await brand.read(text);
  return bytes && new Map([[fontFamilies.text, bytes]]);
}

/** What says which version of the brand is in a workspace. */
const stampPath = `${brandPlace}/version`;

/** Puts the files of the brand into the workspace unless they are already there; removes those of a former brand. */
export async function placeBrand(brand: TaskBrand, workspace: Workspace): Promise<void> {
  const stamp = String(brand.updatedAtMs);
  const former = await workspace.read(stampPath).catch(() => null);
  if (former?.toString() === stamp) return;
  await workspace.remove(brandPlace);
  const { logo, templates } = brand.facts;
  const named = templateForms.flatMap((form): [string, BrandFile][] => {
    const file = templates[form];
    return file ? [[placeTemplate(form), file]] : [];
  });
  if (logo) named.push([`${brandPlace}/logo.${logo.form}`, logo]);
  for (const [path, bytes] of await readAll(brand, named)) await workspace.write(path, bytes);
  await workspace.write(stampPath, stamp);
}

/** The largest file that is read of a brand, in bytes. */
export const mostBrandFileBytes = brandLimits.templateBytes;

const formNames: Record<TemplateForm, string> = { docx: 'Word', pptx: 'PowerPoint', xlsx: 'Excel' };

/** What the result of a tool says about the template for its format. */
export function noteTemplate(brand: TaskBrand | null | undefined, form: TemplateForm): string[] {
  if (!brand?.facts.templates[form]) return [];
  return [
    `The user has a ${formNames[form]} template, ${placeTemplate(form)}: where it fits, copy it and fill it with edit_office instead.`,
  ];
}

/** What the agent is told about the brand, besides the design kit's own page. */
export function describeBrand({ facts: { name, logo, templates } }: TaskBrand): string {
  const forms = templateForms.filter((form) => templates[form]).map((form) => `${placeTemplate(form)} (${formNames[form]})`);
  const filled =
    forms.length === 0 ? '' : ` Its templates are ${forms.join(', ')}: fill them with edit_office when such a file is wanted.`;
  const picture = logo ? ` Its logo is ${brandPlace}/logo.${logo.form}.` : '';
  const title = name === '' ? '' : ` (${name})`;
  return `The user has a brand${title}. Pages of the skill design-kit, documents, workbooks, and charts have its look unless they name another theme: use it without being asked.${picture}${filled}`;
}
