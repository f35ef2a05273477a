import { Fault } from '@errand/base/fault.ts';
import { MarkupElement, MarkupText, type MarkupNode, Scope } from './markup-tree.ts';

/** Elements nested deeper than this occur in no document. */
const deepest = 250;
/** Each takes some hundred bytes of memory. */
const mostNodes = 1_200_000;

const startTag = /<([^\s/>"'<=!?]+)(?:\s+[^\s=/>"'<]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y;
const endTag = /<\/([^\s>]+)\s*>/y;
const declaration = /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const wrongReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});)/i;
const xmlSpace = 'http://www.w3.org/XML/1998/namespace';

/** The namespaces of ISO 29500 Strict, by those of Transitional, which nearly all files use. */
const strictSpaces: readonly [strict: string, usual: string][] = [
  ['http://purl.oclc.org/ooxml/wordprocessingml/main', 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'],
  ['http://purl.oclc.org/ooxml/spreadsheetml/main', 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'],
  ['http://purl.oclc.org/ooxml/presentationml/main', 'http://schemas.openxmlformats.org/presentationml/2006/main'],
  ['http://purl.oclc.org/ooxml/drawingml/', 'http://schemas.openxmlformats.org/drawingml/2006/'],
  [
    'http://purl.oclc.org/ooxml/officeDocument/relationships',
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  ],
];

function readSpace(space: string): string {
  const known = strictSpaces.find(([strict]) => space.startsWith(strict));
  return known ? `${known[1]}${space.slice(known[0].length)}` : space;
}

function damaged(part: string, at: number): Fault {
  return new Fault('invalid_argument', `path: ${part} in the file is no well-formed XML (character ${at}); the file is damaged.`);
}

const outermost = new Scope(new Map([['xml', xmlSpace]]), null);

/** Elements that are not taken apart: their content is one text, parsed when it is needed. */
export type KeepsWhole = (local: string) => boolean;

/** Reads markup into nodes that write back exactly what was read. Knows no document types and hence no entities. */
class MarkupParser {
  readonly #text: string;
  readonly #part: string;
  readonly #keepsWhole: KeepsWhole;
  readonly #top: MarkupNode[] = [];
  readonly #open: MarkupElement[] = [];
  readonly #outer: Scope;
  #at = 0;
  #nodes = 0;

  constructor(text: string, part: string, outer: Scope, keepsWhole: KeepsWhole) {
    this.#text = text;
    this.#part = part;
    this.#outer = outer;
    this.#keepsWhole = keepsWhole;
  }

  parse(): MarkupNode[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const next = text.indexOf('<', this.#at);
      if (next !== this.#at) this.#addText(next < 0 ? text.length : next);
      else if (text.startsWith('<!--', next)) this.#addUpTo('-->', 4);
      else if (text.startsWith('<![CDATA[', next)) this.#addUpTo(']]>', 9);
      else if (text.startsWith('<?', next)) this.#addUpTo('?>', 2);
      else if (text.startsWith('</', next)) this.#close();
      else this.#start();
    }
    if (this.#open.length > 0) throw damaged(this.#part, this.#at);
    return this.#top;
  }

  #add(node: MarkupNode): void {
    if (++this.#nodes > mostNodes) throw new Fault('payload_too_large', `path: ${this.#part} in the file is too large to edit.`);
    const parent = this.#open.at(-1);
    node.parent = parent ?? null;
    (parent?.children ?? this.#top).push(node);
  }

  #addText(end: number): void {
    const raw = this.#text.slice(this.#at, end);
    if (wrongReference.test(raw)) throw damaged(this.#part, this.#at);
    this.#add(new MarkupText(raw));
    this.#at = end;
  }

  #addUpTo(ending: string, skipped: number): void {
    const end = this.#text.indexOf(ending, this.#at + skipped);
    if (end < 0) throw damaged(this.#part, this.#at);
    this.#add(new MarkupText(this.#text.slice(this.#at, end + ending.length)));
    this.#at = end + ending.length;
  }

  #start(): void {
    startTag.lastIndex = this.#at;
    const match = startTag.exec(this.#text);
    if (!match) {
      if (!this.#text.startsWith('<!DOCTYPE', this.#at)) throw damaged(this.#part, this.#at);
      throw new Fault('invalid_argument', `path: ${this.#part} in the file declares a document type, which no office file does.`);
    }
    const [tag, name = '', slash = ''] = match;
    const opening = tag.slice(0, -1 - slash.length);
    if (wrongReference.test(opening)) throw damaged(this.#part, this.#at);
    const element = new MarkupElement(opening, name, this.#scopeOf(opening), slash === '' ? `</${name}>` : null);
    const colon = name.indexOf(':');
    if (colon >= 0 && element.scope.spaceOf(name.slice(0, colon)) === undefined) throw damaged(this.#part, this.#at);
    this.#add(element);
    this.#at += tag.length;
    if (slash !== '') return;
    this.#open.push(element);
    if (this.#open.length > deepest) {
      throw new Fault('invalid_argument', `path: ${this.#part} in the file is nested deeper than ${deepest} elements.`);
    }
    if (!this.#keepsWhole(element.local)) return;
    const end = this.#text.indexOf(`</${name}`, this.#at);
    if (end < 0) throw damaged(this.#part, this.#at);
    if (end > this.#at) this.#add(new MarkupText(this.#text.slice(this.#at, end)));
    this.#at = end;
  }

  #scopeOf(opening: string): Scope {
    const outer = this.#open.at(-1)?.scope ?? this.#outer;
    if (!opening.includes('xmlns')) return outer;
    const own = new Map<string, string>();
    for (const [, prefix = '', double, single = ''] of opening.matchAll(declaration))
      own.set(prefix, readSpace(double ?? single));
    return own.size === 0 ? outer : new Scope(own, outer);
  }

  #close(): void {
    endTag.lastIndex = this.#at;
    const [tag, name] = endTag.exec(this.#text) ?? [];
    const element = this.#open.pop();
    if (tag === undefined || !element || element.name !== name) throw damaged(this.#part, this.#at);
    element.closing = tag;
    this.#at += tag.length;
  }
}

/** The nodes of a part; one of them is its root. */
export function parseMarkup(text: string, part: string, keepsWhole: KeepsWhole = () => false): MarkupNode[] {
  const nodes = new MarkupParser(text, part, outermost, keepsWhole).parse();
  if (nodes.filter((node) => node instanceof MarkupElement).length !== 1) throw damaged(part, 0);
  return nodes;
}

/** Nodes to be put into an element; its prefixes hold in them. */
export function parseFragment(markup: string, within: MarkupElement): MarkupNode[] {
  return new MarkupParser(markup, within.name, within.scope, () => false).parse();
}

/** One element to be put into another. */
export function parseElement(markup: string, within: MarkupElement): MarkupElement {
  const element = parseFragment(markup, within).find((node) => node instanceof MarkupElement);
  if (!element) throw new Error('the markup is no element');
  return element;
}
