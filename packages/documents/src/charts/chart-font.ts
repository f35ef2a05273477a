import { readFile } from 'node:fs/promises';

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

function writeFace(family: string, bytes: Uint8Array): string {
  const form = nameForm(bytes);
  const source = `url(data:font/${form};base64,${Buffer.from(bytes).toString('base64')})`;
  return `@font-face{font-family:"${family.replaceAll(/[^\p{L}\p{N} -]/gu, '')}";font-weight:100 900;src:${source}}`;
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

/** Puts the font of a theme into a drawing: a picture in a page cannot use those of the page. */
export async function embedFont(
  svg: string,
  family: string | undefined,
  texts: string,
  own: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<string> {
  if (family === undefined) return svg;
  const faces = await readFaces(family, texts, own);
  if (faces.length === 0) return svg;
  // Each face of a family has characters of its own; a browser takes the last one that has a character.
  const style = `<style>${faces.map((bytes) => writeFace(family, bytes)).join('')}</style>`;
  return svg.replace('</metadata>', () => `</metadata>${style}`);
}
