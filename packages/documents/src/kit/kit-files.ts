import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The looks of the design kit; its files are those of the official skill. */
export const kitThemes = ['report', 'deck', 'editorial', 'technical', 'keynote', 'minimal', 'academic', 'playful'] as const;
export type KitTheme = (typeof kitThemes)[number];

const folder = new URL('../../../../skills/design-kit/kit/', import.meta.url).pathname;

/** Which font files a theme uses, by the beginning of their names. */
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

/** The style sheets of the design kit and the fonts of one theme, by the paths at which pages find them. */
export async function readKit(theme: KitTheme): Promise<Map<string, Uint8Array>> {
  const wanted = [...families[theme], 'jetbrains-mono'];
  const fonts = (await readdir(join(folder, 'fonts'))).filter((name) => wanted.some((family) => name.startsWith(`${family}-`)));
  const styles = (await readdir(folder)).filter((name) => name.endsWith('.css'));
  const names = [...styles, ...fonts.map((name) => `fonts/${name}`)];
  const files = names.map(
    async (name): Promise<[string, Uint8Array]> => [`${place}/${name}`, await readFile(join(folder, name))],
  );
  return new Map(await Promise.all(files));
}
