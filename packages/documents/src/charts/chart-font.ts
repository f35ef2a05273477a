import { readFile } from 'node:fs/promises';
import { readEastAsianFaces } from '../fonts/east-asian-faces.ts';

const folder = new URL('../../../../skills/design-kit/kit/fonts/', import.meta.url);

/** The files of a family of the design kit, and the characters for which each is needed. */
const ranges: [name: string, characters: RegExp][] = [
  ['latin', /[\u0020-\u00ff\u2010-\u2027\u20ac]/],
  ['latin-ext', /[\u0100-\u02ff\u1e00-\u1eff]/],
  ['cyrillic', /[\u0400-\u04ff]/],
  ['greek', /[\u0370-\u03ff]/],
];

/** Files of fonts begin with their form. */
function nameForm(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'wOF2' ? 'woff2' : 'ttf';
}

function writeFace(family: string, bytes: Uint8Array, range?: string): string {
  const form = nameForm(bytes);
  const source = `url(data:font/${form};base64,${Buffer.from(bytes).toString('base64')})`;
  return `@font-face{font-family:"${family.replaceAll(/[^\p{L}\p{N} -]/gu, '')}";font-weight:100 900;src:${source}${range === undefined ? '' : `;unicode-range:${range}`}}`;
}

async function readFaces(family: string, texts: string, own: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array[]> {
  const given = own.get(family);
  if (given) return [given];
  const stem = family
    .toLowerCase()
    .replaceAll(' ', '-')
    .replaceAll(/[^a-z0-9-]/g, '');
  const needed = ranges.filter(([, characters]) => characters.test(texts)).map(([name]) => `${stem}-${name}.woff2`);
  const files = needed.map((name) => readFile(new URL(name, folder)).catch(() => null));
  return (await Promise.all(files)).filter((bytes) => bytes !== null);
}

/** What drawings without a theme are set in; a browser looks for other characters in the next family. */
const usualFamily = 'Liberation Sans';

/** Puts the font of a theme, and one for East Asian characters, into a drawing: a picture in a page cannot use those of the page. */
export async function embedFont(
  svg: string,
  family: string | undefined,
  texts: string,
  own: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<string> {
  const [faces, parts] = await Promise.all([
    family === undefined ? [] : readFaces(family, texts, own),
    readEastAsianFaces(texts),
  ]);
  if (faces.length + parts.length === 0) return svg;
  // Each face of a family has characters of its own; a browser takes the last one that has a character.
  const written = [
    ...parts.map(({ bytes, range }) => writeFace(family ?? usualFamily, bytes, range)),
    ...faces.map((bytes) => writeFace(family ?? usualFamily, bytes)),
  ];
  const style = `<style>${written.join('')}</style>`;
  return svg.replace('</metadata>', () => `</metadata>${style}`);
}
