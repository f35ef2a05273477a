import { Fault } from '@errand/base/fault.ts';
import { parseMarkup } from '../office-edit/markup/markup-parser.ts';
import { MarkupElement, decodeMarkup } from '../office-edit/markup/markup-tree.ts';
import { openPicture } from '../pictures/picture-file.ts';

const longestSide = 4_000;

/** Elements that run something, or show something that is no drawing. */
const activeElements = new Set([
  ...['script', 'handler', 'listener', 'foreignObject', 'iframe', 'object', 'embed', 'audio', 'video', 'canvas'],
]);

const attributePattern = /(?<=\s)([^\s=/>"'<]+)\s*=\s*("[^"]*"|'[^']*')/g;
const innerPicture = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;

function refuse(problem: string): Fault {
  return new Fault('invalid_argument', `the SVG file ${problem}.`);
}

/** A style, or an attribute that can be one. An escape could hide what it names. */
function checkStyle(value: string): void {
  if (/@import|expression\s*\(|javascript:|behavior\s*:|\\/i.test(value)) throw refuse('has styles that load or run something');
  for (const [, address = ''] of value.matchAll(/url\(\s*["']?([^"')]*)/gi)) {
    if (!address.startsWith('#') && !innerPicture.test(address)) throw refuse('loads something from elsewhere (url())');
  }
}

function checkAttribute(name: string, value: string): void {
  const local = name.slice(name.indexOf(':') + 1).toLowerCase();
  if (local.startsWith('on')) throw refuse(`has a script (${name})`);
  const isAddress = local === 'href' || local === 'src' || name.toLowerCase() === 'xml:base';
  if (isAddress && !value.trim().startsWith('#') && !innerPicture.test(value.trim())) {
    throw refuse(`leads to something outside of it (${name})`);
  }
  checkStyle(value);
}

function checkElement(element: MarkupElement): void {
  if (activeElements.has(element.local)) throw refuse(`has an element <${element.local}>, which no picture needs`);
  for (const [, name = '', quoted = ''] of element.opening.matchAll(attributePattern)) {
    if (!/^xmlns(:|$)/.test(name)) checkAttribute(name, decodeMarkup(quoted.slice(1, -1)));
  }
  if (element.local === 'style') checkStyle(element.text);
}

/** Throws a Fault for a drawing that runs, loads, or leads to anything. */
function checkSvg(bytes: Uint8Array): void {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('is not written in UTF-8');
  }
  // A style sheet of an instruction is loaded like any other.
  if (/<\?xml-stylesheet/i.test(text)) throw refuse('loads a style sheet');
  // What drawing programs write; one with entities is refused as markup.
  const nodes = parseMarkup(text.replace(/<!DOCTYPE\s+svg[^[<>]*>/, ''), 'the drawing');
  const root = nodes.find((node) => node instanceof MarkupElement);
  if (root?.local !== 'svg') throw refuse('has no drawing in it');
  checkElement(root);
  for (const element of root.descendants(() => true)) checkElement(element);
}

async function checkPng(bytes: Uint8Array): Promise<void> {
  const { image, facts } = await openPicture(bytes, 'the logo');
  const { width, height, format } = facts;
  if (format !== 'png') throw new Fault('invalid_argument', 'it is no PNG file.');
  if (width > longestSide || height > longestSide) {
    throw new Fault('invalid_argument', `it has ${width} × ${height} pixels; at most ${longestSide} a side.`);
  }
  // Decoded once, so that a damaged file is refused here and not in every document.
  await image.stats();
}

/** What a logo is. Throws a Fault for anything that is not a drawing or picture alone. */
export async function checkLogo(bytes: Uint8Array): Promise<'svg' | 'png'> {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') === '\u0089PNG') {
    await checkPng(bytes);
    return 'png';
  }
  const start = Buffer.from(bytes.subarray(0, 2_000)).toString('latin1');
  if (!start.includes('<')) throw new Fault('invalid_argument', 'is neither an SVG nor a PNG file.');
  checkSvg(bytes);
  return 'svg';
}
