import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The looks of the design kit; its files are those of the official skill. */
export const kitThemes = ['report', 'deck', 'editorial', 'technical', 'keynote', 'minimal', 'academic', 'playful'] as const;
export type KitTheme = (typeof kitThemes)[number];

/** What the theme of a page is called that has the look of a brand. */
export const brandTheme = 'brand';

/** A brand as the design kit needs it. */
export interface KitBrand {
  /** The theme that it begins with. */
  theme: KitTheme;
  /** Families of the kit that it uses besides those of the theme. */
  families: readonly string[];
  /** Style sheet of the theme. */
  styles: string;
  /** Logo and fonts of the theme, by their paths relative to the style sheet. */
  files: ReadonlyMap<string, Uint8Array>;
}

const folder = new URL('../../../../skills/design-kit/kit/', import.meta.url).pathname;

/** Font files of a theme, by the beginning of their names. */
const families: Record<KitTheme, readonly string[]> = {
  report: ['source-serif-4'],
  deck: ['manrope'],
  editorial: ['fraunces', 'source-serif-4'],
  technical: ['inter'],
  keynote: ['inter'],
  minimal: ['inter'],
  academic: ['eb-garamond', 'source-serif-4'],
  playful: ['nunito'],
};

/** Where pages find the kit, relative to the top of their workspace. */
const place = '.kit';

/** A style sheet of the kit in which pages of a brand look as those of a theme. */
function dressStyles(css: string, theme: KitTheme): string {
  const branded = `:is([data-theme="${theme}"], :root:where(:not([data-theme]), [data-theme="${brandTheme}"]))`;
  return css.replaceAll(`[data-theme="${theme}"]`, branded);
}

/** The style sheets of the design kit and the fonts of one theme, by the paths at which pages find them. */
export async function readKit(theme: KitTheme, brand: KitBrand | null = null): Promise<Map<string, Uint8Array>> {
  const own = brand?.families.map((family) => family.toLowerCase().replaceAll(' ', '-')) ?? [];
  const wanted = [...families[theme], ...own, 'jetbrains-mono', 'noto-sans'];
  const fonts = (await readdir(join(folder, 'fonts'))).filter((name) => wanted.some((family) => name.startsWith(`${family}-`)));
  const styles = (await readdir(folder)).filter((name) => name.endsWith('.css'));
  const names = [...styles, ...fonts.map((name) => `fonts/${name}`)];
  const files = names.map(async (name): Promise<[string, Uint8Array]> => [name, await readFile(join(folder, name))]);
  const kit = new Map(await Promise.all(files));
  const dressed = brand ? dressKit(kit, brand) : kit;
  return new Map([...dressed].map(([name, bytes]) => [`${place}/${name}`, bytes]));
}

/** The files of the kit, by their paths in it, with a brand that pages without a theme of their own have. */
export function dressKit(kit: ReadonlyMap<string, Uint8Array>, brand: KitBrand): Map<string, Uint8Array> {
  const sheets = [...kit].filter(([name]) => name.endsWith('.css'));
  const dressed = sheets.map(([name, css]): [string, Uint8Array] => [
    name,
    Buffer.from(dressStyles(Buffer.from(css).toString(), brand.theme)),
  ]);
  return new Map([...kit, ...dressed, ...brand.files, ['brand.css', Buffer.from(brand.styles)]]);
}
