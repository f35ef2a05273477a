import type { Picture } from '../pictures/picture-file.ts';
import type { PageWords } from '../content/page-words.ts';
import { descendants, hasClass, isElement, type PageElement, textOf } from './page-tree.ts';
import type { WordLogo } from './word-logo.ts';
import type { WordTheme } from './word-theme.ts';

/** What a page looks like. */
export interface WordLook {
  theme: WordTheme;
  words: PageWords;
  /** Pictures and drawings, by their elements. */
  pictures: ReadonlyMap<PageElement, Picture>;
  /** Logo of the brand; null without one. */
  logo: WordLogo | null;
  /** What fills covers; null for a color alone. */
  ground: Picture | null;
}

/** What the writers of a page's parts have in common. */
export interface WordContext extends WordLook {
  /** The notes at the end of the page, by id. */
  notes: ReadonlyMap<string, PageElement>;
  /** The bookmarks of places that links lead to, by id. */
  labels: ReadonlyMap<string, string>;
  /** `Figure 2`, by the id of a figure, a table, or its caption. */
  numbered: ReadonlyMap<string, string>;
  /** The words of headings, by id. */
  titles: ReadonlyMap<string, string>;
  /** Whether captions are numbered. */
  isNumbered: boolean;
  /** The number of the next caption of this kind. */
  nextNumber(kind: 'figure' | 'table'): number;
  /** The number of a note, counted as notes are referred to; undefined if there is none of this id. */
  noteNumber(id: string): { number: number; isFirst: boolean } | undefined;
  /** The notes that were referred to, in order. */
  usedNotes(): readonly string[];
}

function listNotes(page: PageElement): Map<string, PageElement> {
  const sections = [...descendants(page)].filter((element) => hasClass(element, 'footnotes'));
  const items = sections.flatMap((section) => [...descendants(section)].filter(({ name }) => name === 'li'));
  return new Map(items.flatMap((item) => (item.attributes['id'] ? [[item.attributes['id'], item] as const] : [])));
}

/** Whether an element has a caption that is numbered. */
export function captionOf(element: PageElement): PageElement | undefined {
  const wanted = element.name === 'figure' ? 'figcaption' : element.name === 'table' ? 'caption' : null;
  return element.children.filter(isElement).find(({ name }) => name === wanted);
}

function numberCaptions(page: PageElement, words: PageWords): Map<string, string> {
  const counts = { figure: 0, table: 0 };
  const numbered = new Map<string, string>();
  for (const element of descendants(page)) {
    const caption = captionOf(element);
    if (!caption) continue;
    const kind = element.name === 'table' ? 'table' : 'figure';
    counts[kind]++;
    for (const { attributes } of [element, caption])
      if (attributes['id']) numbered.set(attributes['id'], `${words[kind]} ${counts[kind]}`);
  }
  return numbered;
}

/** Reads what the parts of a page refer to. */
export function createContext(page: PageElement, look: WordLook): WordContext {
  const elements = [...descendants(page)];
  const targets = new Set(
    elements.flatMap(({ attributes }) => (attributes['href']?.startsWith('#') ? [attributes['href'].slice(1)] : [])),
  );
  const notes = listNotes(page);
  const places = elements.flatMap(({ attributes }) =>
    attributes['id'] && targets.has(attributes['id']) ? [attributes['id']] : [],
  );
  const labels = new Map([...new Set(places)].filter((id) => !notes.has(id)).map((id, at) => [id, `_place${at + 1}`]));
  const headings = elements.filter(({ name }) => /^h[1-6]$/.test(name));
  const isNumbered = elements.some((element) => element.name === 'body' && hasClass(element, 'numbered'));
  const used: string[] = [];
  const counts = { figure: 0, table: 0 };
  return {
    ...look,
    ...{ notes, labels, isNumbered },
    numbered: isNumbered ? numberCaptions(page, look.words) : new Map(),
    titles: new Map(headings.flatMap((each) => (each.attributes['id'] ? [[each.attributes['id'], textOf(each)] as const] : []))),
    nextNumber: (kind) => ++counts[kind],
    noteNumber(id) {
      if (!notes.has(id)) return undefined;
      const known = used.indexOf(id);
      if (known >= 0) return { number: known + 1, isFirst: false };
      return { number: used.push(id), isFirst: true };
    },
    usedNotes: () => used,
  };
}
