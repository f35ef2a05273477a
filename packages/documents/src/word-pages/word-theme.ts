import { readColor, readKitRoles, resolveRole } from '../content/kit-roles.ts';

/** The look of a Word document: colors as `RRGGBB`, fonts that every office has. */
export interface WordTheme {
  colors: Readonly<Record<Role, string>>;
  textFont: string;
  headFont: string;
  /** Where the words of a cover stand. */
  coverAlign: 'start' | 'center';
  /** The roles of the page, as style sheets write them. */
  roles: ReadonlyMap<string, string>;
}

const usual = {
  ...{ ground: 'FFFFFF', surface: 'F5F6F8', ink: '1A1D23', soft: '5B626E', line: 'DDE1E7', accent: '0B57B0', tint: 'EAF2FC' },
  ...{ good: '0A7346', warn: '8A5300', bad: 'B3261E', 'good-tint': 'E6F5ED', 'warn-tint': 'FFF4E0', 'bad-tint': 'FDECEA' },
  ...{ cover: '0B57B0', 'on-cover': 'FFFFFF', 'cover-soft': 'DCEBF3' },
};
type Role = keyof typeof usual;

/** Fonts of the kit are on few machines, and a missing one changes every line. */
function chooseFont(value: string): string {
  return /serif 4|garamond|fraunces|noto serif/i.test(value) ? 'Times New Roman' : 'Arial';
}

/**
 * The look of a theme of the design kit.
 *
 * @param own style sheets of the page, whose roles win
 */
async function readTheme(name: string, own: string): Promise<WordTheme> {
  const roles = await readKitRoles(name, own);
  const entries = Object.entries(usual).map(([role, color]) => [role, readColor(resolveRole(roles, role)) ?? color]);
  const colors = Object.fromEntries(entries) as Record<Role, string>;
  const [textFont, headFont] = [chooseFont(resolveRole(roles, 'text-font')), chooseFont(resolveRole(roles, 'head-font'))];
  return { colors, textFont, headFont, roles, coverAlign: name === 'academic' ? 'center' : 'start' };
}

/** A theme of the design kit, and what the brand adds to it. */
export interface WordBrand {
  theme: string;
  /** The style sheet that comes after that of the theme. */
  styles: string;
  /** An SVG or PNG file. */
  logo?: Uint8Array;
}

/** Whether pages that name this theme have the look of a brand. */
export function isBranded(named: string): boolean {
  return named === '' || named === 'brand';
}

/** The look of a page: that of its theme, or of the brand if it names none. */
export function chooseTheme(named: string, css: string, brand: WordBrand | undefined): Promise<WordTheme> {
  return brand && isBranded(named) ? readTheme(brand.theme, `${brand.styles}\n${css}`) : readTheme(named, css);
}

/** A value of a drawing with its roles replaced. */
export function resolveRoles({ roles }: WordTheme, value: string): string {
  return value.replaceAll(/var\(--([\w-]+)(?:,[^()]*)?\)/g, (_, name: string) => {
    const resolved = resolveRole(roles, name);
    return /font/.test(name) ? chooseFont(resolved) : `#${readColor(resolved) ?? '000000'}`;
  });
}
