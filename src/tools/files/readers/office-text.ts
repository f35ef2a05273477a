import { zipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { type MarkupNode, renderMarkup } from './markup-text.ts';
import { partText, type Parts } from './package-parts.ts';
import { longestReading, type Reading } from './document-reading.ts';

/** A new zip of the parts that were unpacked within bounds, for libraries that need a file. */
export function repack(parts: Parts): Uint8Array<ArrayBuffer> {
  const files = Object.fromEntries([...parts].map(([name, bytes]) => [name, new Uint8Array(bytes)]));
  return Uint8Array.from(zipSync(files, { level: 0 }));
}

export async function readWord(parts: Parts): Promise<Reading> {
  const [mammoth, { parseHTML }] = await Promise.all([import('mammoth'), import('linkedom')]);
  const ignoreImages = { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) };
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(repack(parts)) }, ignoreImages);
  const { document } = parseHTML(`<html><body>${value}</body></html>`) as unknown as {
    document: { documentElement: MarkupNode };
  };
  return { what: 'Word document', text: renderMarkup(document.documentElement).slice(0, longestReading) };
}

/** Calls back with the text of the elements that `isBreak` names as lines; `saxes` knows no entities but the five of XML. */
function readXmlLines(xml: string, isText: (name: string) => boolean, isBreak: (name: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  let inText = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    if (isText(name)) inText++;
  });
  parser.on('text', (text) => {
    if (inText > 0) line += text;
  });
  parser.on('closetag', ({ name }) => {
    if (isText(name)) inText--;
    if (!isBreak(name)) return;
    if (line.trim() !== '') lines.push(line.trim());
    line = '';
  });
  parser.write(xml).close();
  return line.trim() === '' ? lines : [...lines, line.trim()];
}

function attributeValues(xml: string, element: string, attributes: readonly string[]): string[][] {
  const found: string[][] = [];
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    if (tag.name === element) found.push(attributes.map((name) => tag.attributes[name] ?? ''));
  });
  parser.write(xml).close();
  return found;
}

/** Slides in presentation order. */
function listSlides(parts: Parts): string[] {
  const relations = new Map(
    attributeValues(partText(parts, 'ppt/_rels/presentation.xml.rels'), 'Relationship', ['Id', 'Target']) as [string, string][],
  );
  const order = attributeValues(partText(parts, 'ppt/presentation.xml'), 'p:sldId', ['r:id']);
  return order.flatMap(([id = '']) => {
    const target = relations.get(id);
    return target === undefined ? [] : [target.startsWith('/') ? target.slice(1) : `ppt/${target}`];
  });
}

export function readSlides(parts: Parts): Reading {
  const slides = listSlides(parts).filter((name) => parts.has(name));
  const readLines = (name: string) =>
    readXmlLines(
      partText(parts, name),
      (tag) => tag === 'a:t',
      (tag) => tag === 'a:p',
    );
  const text = slides.map((name, index) => {
    const [notes] = attributeValues(partText(parts, name.replace('slides/', 'slides/_rels/').concat('.rels')), 'Relationship', [
      'Target',
    ]).flatMap(([target = '']) => (target.includes('notesSlide') ? [target.replace('..', 'ppt')] : []));
    const spoken = notes === undefined ? [] : readLines(notes).filter((line) => !/^\d+$/.test(line));
    return [`--- slide ${index + 1} ---`, ...readLines(name), ...(spoken.length > 0 ? ['Notes:', ...spoken] : [])].join('\n');
  });
  return { what: `presentation, ${slides.length} slides`, text: text.join('\n\n').slice(0, longestReading) };
}

/** Text documents and presentations in OpenDocument format. */
export function readOpenDocument(parts: Parts): Reading {
  const isBlock = (name: string) => name === 'text:p' || name === 'text:h';
  const lines = readXmlLines(partText(parts, 'content.xml'), isBlock, isBlock);
  return { what: 'Open Document', text: lines.join('\n').slice(0, longestReading) };
}
