import { posix } from 'node:path';
import { SaxesParser } from 'saxes';
import { partText, type Parts } from './package-parts.ts';

/** The text of the elements that `isText` names, as lines that end with those of `isBreak`; `saxes` knows no entities but the five of XML. */
export function readXmlLines(xml: string, isText: (name: string) => boolean, isBreak: (name: string) => boolean): string[] {
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

/** The values of these attributes for every such element; empty where one is absent. */
export function attributeValues(xml: string, element: string, attributes: readonly string[]): string[][] {
  const found: string[][] = [];
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    if (tag.name === element) found.push(attributes.map((name) => tag.attributes[name] ?? ''));
  });
  parser.write(xml).close();
  return found;
}

/** A remark, with what its element says about it. */
interface Remark {
  attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of this name that have text, with that of the elements that `isText` names in them as one line. */
export function readRemarks(xml: string, element: string, isText: (name: string) => boolean): Remark[] {
  const remarks: Remark[] = [];
  let open: Remark | null = null;
  let inText = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === element) open = { attributes, text: '' };
    else if (isText(name)) inText++;
  });
  parser.on('text', (text) => {
    if (open && inText > 0) open.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (isText(name)) inText--;
    if (open && /:(p|h)$/.test(name)) open.text += ' ';
    if (name !== element || !open) return;
    remarks.push({ ...open, text: open.text.replace(/\s+/g, ' ').trim() });
    open = null;
  });
  parser.write(xml).close();
  return remarks.filter(({ text }) => text !== '');
}

/** The parts that a part refers to, by the id of the relationship, as paths within the package. */
export function relatedParts(parts: Parts, name: string): Map<string, string> {
  const file = posix.join(posix.dirname(name), '_rels', `${posix.basename(name)}.rels`);
  const text = partText(parts, file);
  if (text === '') return new Map();
  const relations = attributeValues(text, 'Relationship', ['Id', 'Target']);
  return new Map(
    relations.map(([id = '', target = '']) => [
      id,
      target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(name), target),
    ]),
  );
}
