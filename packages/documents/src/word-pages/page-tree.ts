import { Parser } from 'htmlparser2';
import { Fault } from '@errand/base/fault.ts';
import { cleanText, escapeMarkup } from '../clean-text.ts';

/** An element of a page. */
export interface PageElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: PageNode[];
}

export type PageNode = PageElement | string;

/** Elements nested deeper are read as if they were not there. */
const deepest = 60;
const mostNodes = 200_000;

/** A page as a tree, with all that is neither shown nor said. */
export function parsePage(html: string): PageElement {
  const root: PageElement = { name: 'page', attributes: {}, children: [] };
  const open: PageElement[] = [root];
  let count = 0;
  const within = () => open.at(-1) ?? root;
  const add = (node: PageNode) => {
    if (++count > mostNodes)
      throw new Fault('payload_too_large', `source: the page has more than ${mostNodes} elements and texts.`);
    within().children.push(node);
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, children: [] };
        if (open.length < deepest) add(element);
        open.push(open.length < deepest ? element : within());
      },
      ontext(text) {
        add(cleanText(text));
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
    },
    // Drawings in the page have names with capitals.
    { lowerCaseAttributeNames: false, decodeEntities: true },
  );
  parser.end(html);
  return root;
}

export function isElement(node: PageNode): node is PageElement {
  return typeof node !== 'string';
}

/** The classes of an element. */
export function classesOf({ attributes }: PageElement): string[] {
  return (attributes['class'] ?? '').split(/\s+/);
}

export function hasClass(element: PageElement, ...names: string[]): boolean {
  return classesOf(element).some((name) => names.includes(name));
}

/** What a callout says of its words by its color; undefined if nothing. */
export function toneOf(element: PageElement): 'good' | 'warn' | 'bad' | undefined {
  return (['good', 'warn', 'bad'] as const).find((tone) => hasClass(element, tone));
}

/** All elements below, in order. */
export function* descendants(element: PageElement): Generator<PageElement> {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    yield child;
    yield* descendants(child);
  }
}

/** The first element below that is meant. */
export function find(element: PageElement, isMeant: (one: PageElement) => boolean): PageElement | undefined {
  for (const each of descendants(element)) if (isMeant(each)) return each;
  return undefined;
}

/** The words of an element on one line. */
export function textOf(node: PageNode): string {
  const read = (each: PageNode): string => (isElement(each) ? each.children.map(read).join('') : each);
  return read(node).replaceAll(/\s+/g, ' ').trim();
}

/** An element as markup again, with its attributes and texts as `change` gives them. */
export function writeTree(node: PageNode, change: (value: string) => string): string {
  if (!isElement(node)) return escapeMarkup(change(node));
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeMarkup(change(value))}"`);
  return `<${node.name}${attributes.join('')}>${node.children.map((child) => writeTree(child, change)).join('')}</${node.name}>`;
}
