import { posix } from 'node:path';
import { invalidField } from '@errand/base/fault.ts';
import type { ReadFile } from '../generator-outcome.ts';
import { type Picture, readPicture } from '../pictures/picture-file.ts';
import { descendants, type PageElement, writeTree } from './page-tree.ts';
import { resolveRoles, type WordTheme } from './word-theme.ts';

const mostPictures = 100;
/** The width of a drawing in pixels: enough for print in the width of a page. */
const drawingWidth = 1_600;

export interface PagePictures {
  pictures: ReadonlyMap<PageElement, Picture>;
  /** What is not shown, for the model. */
  remarks: string[];
}

/** Where a page's own address leads in the workspace. */
function placeOf(address: string, folder: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  const decoded = decodeURIComponent(path);
  return decoded.startsWith('/') ? decoded.slice(1) : posix.join(folder, decoded);
}

async function readImage(address: string, folder: string, readFile: ReadFile): Promise<Picture | string> {
  const [whole, data = ''] = /^data:image\/[a-z+.-]+;base64,(.*)$/is.exec(address) ?? [];
  if (whole !== undefined) return readPicture(Buffer.from(data, 'base64'), 'the picture in the page');
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(address) || address === '')
    return `The picture ${JSON.stringify(address.slice(0, 80))} is not shown: only files of the workspace are.`;
  const path = placeOf(address, folder);
  return readPicture(await readFile(path), path);
}

/** A drawing of the page as a picture, in the colors of the theme. */
async function drawSvg(element: PageElement, theme: WordTheme): Promise<Picture> {
  const [, , wide = 0, high = 0] = (element.attributes['viewBox'] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] = [
    Number.parseFloat(element.attributes['width'] ?? '') || wide,
    Number.parseFloat(element.attributes['height'] ?? '') || high,
  ];
  if (!(width > 0 && height > 0)) throw invalidField('source', 'a drawing has neither a viewBox nor a width and a height.');
  const scale = drawingWidth / width;
  const attributes = {
    ...element.attributes,
    xmlns: 'http://www.w3.org/2000/svg',
    width: String(drawingWidth),
    height: String(Math.round(height * scale)),
  };
  const sized = { ...element, attributes: { viewBox: `0 0 ${width} ${height}`, ...attributes } };
  const markup = writeTree(sized, (value) => resolveRoles(theme, value));
  return readPicture(Buffer.from(markup), 'a drawing in the page');
}

/** Reads the pictures and drawings of a page. Throws a Fault for a file that is none. */
export async function readPagePictures(
  page: PageElement,
  folder: string,
  theme: WordTheme,
  readFile: ReadFile,
): Promise<PagePictures> {
  const elements = [...descendants(page)].filter(({ name }) => name === 'img' || name === 'svg');
  if (elements.length > mostPictures)
    throw invalidField('source', `shows more than ${mostPictures} pictures. Make several documents of it.`);
  const pictures = new Map<PageElement, Picture>();
  const remarks: string[] = [];
  for (const element of elements) {
    const picture =
      element.name === 'svg' ? await drawSvg(element, theme) : await readImage(element.attributes['src'] ?? '', folder, readFile);
    if (typeof picture === 'string') remarks.push(picture);
    else pictures.set(element, picture);
  }
  return { pictures, remarks };
}
