import {
  AlignmentType,
  type FileChild,
  Footer,
  Header,
  type ISectionOptions,
  PageOrientation,
  Paragraph,
  SectionType,
  SimpleField,
  TabStopType,
  TextRun,
} from 'docx';
import { find, hasClass, isElement, type PageElement } from './page-tree.ts';
import type { BlockPlace } from './block-place.ts';
import type { BlockWriter } from './word-blocks.ts';
import type { WordContext } from './word-context.ts';
import { writeCover, writeTitle } from './word-cover.ts';
import { headerLogo, titleLogo, type WordLogo } from './word-logo.ts';
import type { Sheet } from './word-sheet.ts';

type Kind = 'cover' | 'upright' | 'landscape';

/** Neighboring pages of one form. */
export interface Part {
  kind: Kind;
  children: FileChild[];
}

/** Writes a page in parts with pages of their own form. */
export class PartWriter {
  readonly #writer: BlockWriter;
  readonly #context: WordContext;
  readonly #sheet: Sheet;
  readonly #place: BlockPlace;
  readonly parts: Part[] = [];

  constructor(writer: BlockWriter, context: WordContext, sheet: Sheet, place: BlockPlace) {
    [this.#writer, this.#context, this.#sheet, this.#place] = [writer, context, sheet, place];
  }

  #add(kind: Kind, children: readonly FileChild[]): void {
    const last = this.parts.at(-1);
    if (last?.kind === kind && kind !== 'cover') last.children.push(...children);
    else if (children.length > 0) this.parts.push({ kind, children: [...children] });
  }

  write(element: PageElement): void {
    const isSpecial = (one: PageElement) => hasClass(one, 'cover', 'title-block', 'landscape');
    for (const child of element.children) {
      // The cover ends its page, so that nothing is above what follows.
      const place = { ...this.#place, isFirst: this.parts.at(-1)?.kind === 'cover' };
      if (!isElement(child)) this.#add('upright', this.#writer.write([child], place));
      else if (hasClass(child, 'cover')) {
        const { theme, logo, ground } = this.#context;
        const page = { ...this.#sheet, theme, logo, ground };
        this.#add('cover', writeCover(child, this.#writer, this.#place, page));
      } else if (hasClass(child, 'title-block')) {
        const { logo } = this.#context;
        this.#add('upright', [
          ...titleLogo(logo, 'title', this.#place.isMirrored),
          ...writeTitle(child, this.#writer, this.#place),
        ]);
      } else if (hasClass(child, 'landscape')) {
        const { width: wide, height, margin } = this.#sheet;
        const width = Math.max(wide, height) - margin.left - margin.right;
        this.#add('landscape', this.#writer.write(child.children, { ...this.#place, width }));
      } else if (find(child, isSpecial)) this.write(child);
      else this.#add('upright', this.#writer.write([child], place));
    }
  }
}

/** What the pages of a document have in common. */
export interface Running {
  sheet: Sheet;
  /** Title in the header of each page. */
  title: string;
  logo: WordLogo | null;
  isMirrored: boolean;
  /** Whether it is meant to be one page, which needs no number. */
  isOnePage: boolean;
}

function writeHeader({ title, logo, isMirrored }: Running, width: number): Header {
  const words = new TextRun({ text: title, rightToLeft: isMirrored });
  const paragraph = new Paragraph({
    style: 'Header',
    ...(isMirrored && { bidirectional: true }),
    ...(logo && { tabStops: [{ type: TabStopType.END, position: width }] }),
    children: [...headerLogo(logo), words],
  });
  return new Header({ children: [paragraph] });
}

function writeFooter(isMirrored: boolean): Footer {
  const children = [new SimpleField('PAGE', '1')];
  const direction = isMirrored ? { bidirectional: true } : {};
  return new Footer({ children: [new Paragraph({ style: 'Footer', ...direction, alignment: AlignmentType.END, children })] });
}

/** Writes a section of a document. @param hidesFirst whether its first page, which has the title, has no header */
export function writeSection(part: Part, running: Running, hidesFirst: boolean): ISectionOptions {
  const { sheet, isMirrored, isOnePage } = running;
  const { margin } = sheet;
  const isCover = part.kind === 'cover';
  const isLandscape = part.kind === 'landscape';
  const none = { top: 0, bottom: 0, left: 0, right: 0, header: 0, footer: 0 };
  const [short, long] = [Math.min(sheet.width, sheet.height), Math.max(sheet.width, sheet.height)];
  const isWide = isLandscape || sheet.width > sheet.height;
  // The library turns the sheet of a landscape section itself.
  const size = { width: short, height: long, orientation: isWide ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT };
  const width = (isWide ? long : short) - margin.left - margin.right;
  const frames = {
    headers: {
      default: writeHeader(running, width),
      ...(hidesFirst && { first: new Header({ children: [new Paragraph('')] }) }),
    },
    footers: {
      default: writeFooter(isMirrored),
      ...(hidesFirst && { first: isOnePage ? new Footer({ children: [new Paragraph('')] }) : writeFooter(isMirrored) }),
    },
  };
  return {
    properties: {
      type: SectionType.NEXT_PAGE,
      page: { size, margin: isCover ? none : margin },
      titlePage: hidesFirst && !isCover,
    },
    ...(!isCover && frames),
    children: part.children,
  };
}
