import { invalidField } from '@errand/base/fault.ts';
import type { MarkupElement } from '../markup/markup-tree.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { isFallback, listParagraphs, ParagraphText } from '../text/paragraph-text.ts';
import type { PlacedParagraph } from '../text/text-finding.ts';
import { slideText } from './slide-text.ts';

export const slideSpace = 'http://schemas.openxmlformats.org/presentationml/2006/main';
export const relationAttributes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface Slide {
  part: string;
  /** The slide's entry in the list of slides. */
  entry: MarkupElement;
}

/** A presentation that is being edited. */
export class Presentation {
  readonly parts: OfficePackage;
  readonly main: string;

  constructor(parts: OfficePackage, main: string) {
    this.parts = parts;
    this.main = main;
  }

  get root(): MarkupElement {
    return this.parts.root(this.main);
  }

  /** The slides in the order in which they are shown. */
  slides(): Slide[] {
    const targets = new Map(this.parts.relations(this.main).map(({ id, target }) => [id, target]));
    const list = this.root.child(slideSpace, 'sldIdLst')?.elements ?? [];
    return list.flatMap((entry) => {
      const part = targets.get(entry.attribute('id', relationAttributes) ?? '');
      return part !== undefined && this.parts.has(part) ? [{ part, entry }] : [];
    });
  }

  slide(number: number, field = 'slide'): Slide {
    const slides = this.slides();
    const found = slides[number - 1];
    if (found) return found;
    throw invalidField(field, `there is no slide ${number}; the presentation has ${slides.length}.`);
  }

  /** The parts of a slide that have text: itself and its notes. */
  texts({ part }: Slide): string[] {
    const notes = this.parts
      .relations(part)
      .filter(({ type, target, isExternal }) => type === 'notesSlide' && !isExternal && this.parts.has(target));
    return [part, ...notes.map(({ target }) => target)];
  }

  /** The paragraphs of one slide or of all. */
  paragraphs(number: number | undefined): PlacedParagraph[] {
    const slides = number === undefined ? [...this.slides().entries()] : [[number - 1, this.slide(number)] as const];
    return slides.flatMap(([index, slide]) =>
      this.texts(slide).flatMap((part) => {
        const name = part === slide.part ? `slide ${index + 1}` : `the notes of slide ${index + 1}`;
        const paragraphs = listParagraphs(this.parts.root(part), slideText);
        return paragraphs.map((each) => ({
          story: { name },
          text: new ParagraphText(each, slideText),
          isRepetition: isFallback(each),
        }));
      }),
    );
  }
}
