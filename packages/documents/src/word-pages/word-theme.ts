import { readFile } from 'node:fs/promises';

/** The look of a Word document: colors as `RRGGBB`, fonts that every office has. */
export interface WordTheme {
  colors: Readonly<Record<Role, string>>;
  textFont: string;
  headFont: string;
  /** The roles of the page, as style sheets write them. */
  roles: ReadonlyMap<string, string>;
}

const usual = {
  ...{ ground: 'FFFFFF', surface: 'F5F6F8', ink: '1A1D23', soft: '5B626E', line: 'DDE1E7', accent: '0B57B0', tint: 'EAF2FC' },
  ...{ good: '0A7346', warn: '8A5300', bad: 'B3261E', 'good-tint': 'E6F5ED', 'warn-tint': 'FFF4E0', 'bad-tint': 'FDECEA' },
  ...{ cover: '0B57B0', 'on-cover': 'FFFFFF', 'cover-soft': 'DCEBF3' },
};
type Role = keyof typeof usual;

const sheet = new URL('../../../../skills/design-kit/kit/themes.css', import.meta.url);

/** The roles that the rules of a selector give. */
function readRoles(css: string, selector: RegExp): [string, string][] {
  const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(([, where = '']) => selector.test(where.trim()));
  return rules.flatMap(([, , body = '']) =>
    [...body.matchAll(/--([\w-]+)\s*:\s*([^;]+)/g)].map(([, name = '', value = '']): [string, string] => [name, value.trim()]),
  );
}

/** A value with its roles replaced, in its light form. */
function resolve(roles: ReadonlyMap<string, string>, name: string, depth = 0): string {
  const value = roles.get(name) ?? '';
  if (depth > 8) return '';
  const light = value.replace(/light-dark\(\s*(#[0-9a-f]+|var\([^()]*\)|[a-z-]+\([^()]*\))[^]*\)/i, '$1');
  return light.replaceAll(/var\(--([\w-]+)\)/g, (_, other: string) => resolve(roles, other, depth + 1));
}

/** The color of a value; of a gradient, one in its middle. */
function readColor(value: string): string | null {
  const colors = [...value.matchAll(/#([0-9a-f]{6}|[0-9a-f]{3})\b/gi)].map(([, hex = '']) => hex);
  const hex = colors[Math.min(1, colors.length - 1)];
  if (hex === undefined) return null;
  return (hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex).toUpperCase();
}

/** Fonts of the kit are on few machines, and a missing one changes every line. */
function chooseFont(value: string): string {
  return /serif 4|garamond|fraunces|noto serif/i.test(value) ? 'Times New Roman' : 'Arial';
}

/**
 * The look of a theme of the design kit.
 *
 * @param own style sheets of the page, whose roles win
 */
export async function readTheme(name: string, own: string): Promise<WordTheme> {
  const css = await readFile(sheet, 'utf8');
  const escaped = name.replaceAll(/[^\w-]/g, '');
  const roles = new Map([
    ...readRoles(css, /:root$/),
    ...readRoles(css, new RegExp(`\\[data-theme="${escaped}"\\]$`)),
    ...readRoles(own, /:root|html|body|\[data-theme/),
  ]);
  const entries = Object.entries(usual).map(([role, color]) => [role, readColor(resolve(roles, role)) ?? color]);
  const colors = Object.fromEntries(entries) as Record<Role, string>;
  const [textFont, headFont] = [chooseFont(resolve(roles, 'text-font')), chooseFont(resolve(roles, 'head-font'))];
  return { colors, textFont, headFont, roles };
}

/** A value of a drawing with its roles replaced. */
export function resolveRoles({ roles }: WordTheme, value: string): string {
  return value.replaceAll(/var\(--([\w-]+)(?:,[^()]*)?\)/g, (_, name: string) => {
    const resolved = resolve(roles, name);
    return /font/.test(name) ? chooseFont(resolved) : `#${readColor(resolved) ?? '000000'}`;
  });
}
