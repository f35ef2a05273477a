import { readFile } from 'node:fs/promises';

const sheet = new URL('../../../../skills/design-kit/kit/themes.css', import.meta.url);

/** Values of style sheets by role, such as `accent`. */
export type KitRoles = ReadonlyMap<string, string>;

/** The roles that the rules of a selector give. */
function readRoles(css: string, selector: RegExp): [string, string][] {
  const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(([, where = '']) => selector.test(where.trim()));
  return rules.flatMap(([, , body = '']) =>
    [...body.matchAll(/--([\w-]+)\s*:\s*([^;]+)/g)].map(([, name = '', value = '']): [string, string] => [name, value.trim()]),
  );
}

/**
 * The roles of a theme of the design kit.
 *
 * @param own style sheets of a page, whose roles win
 */
export async function readKitRoles(name: string, own = ''): Promise<KitRoles> {
  const css = await readFile(sheet, 'utf8');
  const escaped = name.replaceAll(/[^\w-]/g, '');
  return new Map([
    ...readRoles(css, /:root$/),
    ...readRoles(css, new RegExp(`\\[data-theme="${escaped}"\\]$`)),
    ...readRoles(own, /:root|html|body|\[data-theme/),
  ]);
}

/** The value of a role with the roles in it replaced, in its light or dark form. */
export function resolveRole(roles: KitRoles, name: string, scheme: 'light' | 'dark' = 'light', depth = 0): string {
  const value = roles.get(name) ?? '';
  if (depth > 8) return '';
  const color = String.raw`(#[0-9a-f]+|var\([^()]*\)|[a-z-]+\([^()]*\))`;
  const pair = new RegExp(String.raw`light-dark\(\s*${color}\s*,\s*${color}?[^]*\)`, 'i');
  const own = value.replace(pair, (_, light: string, dark = light) => (scheme === 'dark' ? String(dark) : light));
  return own.replaceAll(/var\(--([\w-]+)\)/g, (_, other: string) => resolveRole(roles, other, scheme, depth + 1));
}

/** The color of a value as `RRGGBB`; of a gradient, one in its middle; null if it has none. */
export function readColor(value: string): string | null {
  const colors = [...value.matchAll(/#([0-9a-f]{6}|[0-9a-f]{3})\b/gi)].map(([, hex = '']) => hex);
  const hex = colors[Math.min(1, colors.length - 1)];
  if (hex === undefined) return null;
  return (hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex).toUpperCase();
}
