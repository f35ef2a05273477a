import { escapeMarkup } from '../../clean-text.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import { type OfficePackage, prefixOf } from '../package/office-package.ts';
import { isFallback, listParagraphs, ParagraphText } from '../text/paragraph-text.ts';
import type { PlacedParagraph } from '../text/text-finding.ts';
import { wordSpace, wordText } from './word-text.ts';

export const relationAttributes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A part with text of its own. */
export interface Story {
  part: string;
  /** The name that a person would use, such as "the text" or "a header". */
  name: string;
  root: MarkupElement;
}

const storyNames: Readonly<Record<string, string>> = {
  header: 'a header',
  footer: 'a footer',
  footnotes: 'the footnotes',
  endnotes: 'the endnotes',
};

export type StoryParagraph = PlacedParagraph & { story: Story };

/** The author of changes to the document, and their time. */
export interface Reviser {
  author: string;
  nowMs: number;
}

/** A Word document that is being edited. */
export class WordDocument {
  readonly parts: OfficePackage;
  readonly main: string;
  readonly reviser: Reviser;
  #lastId: number | null = null;
  #lastDrawing: number | null = null;

  constructor(parts: OfficePackage, main: string, reviser: Reviser) {
    this.parts = parts;
    this.main = main;
    this.reviser = reviser;
  }

  get root(): MarkupElement {
    return this.parts.root(this.main);
  }

  get body(): MarkupElement {
    return this.root.child(wordSpace, 'body') ?? this.root;
  }

  /** The text, then headers, footers, and notes. */
  stories(): Story[] {
    const others = this.parts.relations(this.main).flatMap(({ type, target, isExternal }) => {
      const name = storyNames[type];
      if (name === undefined || isExternal || !this.parts.has(target)) return [];
      return [{ part: target, name, root: this.parts.root(target) }];
    });
    return [{ part: this.main, name: 'the text', root: this.root }, ...others];
  }

  paragraphs(stories = this.stories()): StoryParagraph[] {
    return stories.flatMap((story) =>
      listParagraphs(story.root, wordText).map((paragraph) => ({
        story,
        text: new ParagraphText(paragraph, wordText),
        isRepetition: isFallback(paragraph),
      })),
    );
  }

  /** A part that the document leads to by a relationship of this type. */
  related(type: string): string | null {
    return this.parts.relations(this.main).find((each) => each.type === type && !each.isExternal)?.target ?? null;
  }

  /** A number that no change, comment, or bookmark has. */
  nextId(): number {
    this.#lastId ??= this.stories().reduce((highest, { root }) => Math.max(highest, highestId(root)), 0);
    return ++this.#lastId;
  }

  /** A number that no drawing has. */
  nextDrawingId(): number {
    this.#lastDrawing ??= this.stories().reduce((highest, { root }) => {
      const ids = [...root.descendants(({ local }) => local === 'docPr')].map((each) => Number(each.attribute('id')));
      return ids.reduce((most, id) => (id > most ? id : most), highest);
    }, 0);
    return ++this.#lastDrawing;
  }

  /** The attributes of a change, to be written into a tag. */
  changeAttributes(within: MarkupElement): string {
    const w = prefixOf(within, wordSpace);
    const { author, nowMs } = this.reviser;
    const date = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
    return `${w}id="${this.nextId()}" ${w}author="${escapeMarkup(author)}" ${w}date="${date}"`;
  }
}

function highestId(root: MarkupElement): number {
  let highest = 0;
  for (const element of root.descendants(({ opening }) => opening.includes(':id='))) {
    const id = Number(element.attribute('id', wordSpace));
    if (id > highest && id < 2 ** 31) highest = id;
  }
  return highest;
}
