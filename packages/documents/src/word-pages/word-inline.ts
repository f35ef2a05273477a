import {
  Bookmark,
  ExternalHyperlink,
  FootnoteReferenceRun,
  ImageRun,
  InternalHyperlink,
  type ParagraphChild,
  SimpleField,
  TextRun,
} from 'docx';
import { safeLink } from '../clean-text.ts';
import { readColor } from '../content/kit-roles.ts';
import { hasClass, isElement, type PageElement, type PageNode, textOf } from './page-tree.ts';
import type { WordContext } from './word-context.ts';
import { resolveRoles, type WordTheme } from './word-theme.ts';

/** How a piece of text looks, beyond the style of its paragraph. */
export interface Look {
  bold?: boolean;
  italics?: boolean;
  strike?: boolean;
  underline?: boolean;
  code?: boolean;
  link?: boolean;
  marked?: boolean;
  color?: string;
  place?: 'raised' | 'lowered';
  /** Size in half points. */
  size?: number;
}

const looks: Readonly<Record<string, Look>> = {
  ...{ b: { bold: true }, strong: { bold: true }, th: { bold: true }, em: { italics: true }, i: { italics: true } },
  ...{ cite: { italics: true }, dfn: { italics: true }, s: { strike: true }, del: { strike: true }, u: { underline: true } },
  ...{ ins: { underline: true }, code: { code: true }, kbd: { code: true }, samp: { code: true }, mark: { marked: true } },
  ...{ sup: { place: 'raised' }, sub: { place: 'lowered' } },
};

/** The look that classes give: gains, losses, and labels. */
export function lookOf(element: PageElement, { colors }: WordTheme): Look {
  if (hasClass(element, 'badge')) return { bold: true, color: colors.accent, size: 18 };
  if (hasClass(element, 'up')) return { color: colors.good };
  return hasClass(element, 'down') ? { color: colors.bad } : hasClass(element, 'soft') ? { color: colors.soft } : {};
}

/** In pixels of 96 to the inch. */
const barHeight = 9;

/** A picture of one point, which fills whatever size it is given. @param color `RRGGBB` */
function drawPoint(color: string): Uint8Array {
  return Buffer.from(`47494638396101000100800000${color}0000002c00000000010001000002024401003b`, 'hex');
}

/** What is not read out of a page. */
const silent = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'link',
  'meta',
  'button',
  'select',
  'iframe',
  'object',
  'video',
  'audio',
]);

export function isSilent(element: PageElement): boolean {
  const { attributes, name } = element;
  return (
    silent.has(name) ||
    'hidden' in attributes ||
    hasClass(element, 'screen-only') ||
    /display:\s*none/.test(attributes['style'] ?? '')
  );
}

function writeText(text: string, look: Look, isMirrored: boolean): TextRun {
  const { bold, italics, strike, underline, code, link, marked, color, place, size } = look;
  return new TextRun({
    text,
    ...(bold !== undefined && { bold }),
    ...(italics && { italics }),
    ...(strike && { strike }),
    ...(underline && { underline: {} }),
    ...(marked && { highlight: 'yellow' as const }),
    ...(color !== undefined && { color }),
    ...(size !== undefined && { size }),
    ...(place === 'raised' && { superScript: true }),
    ...(place === 'lowered' && { subScript: true }),
    ...(link ? { style: 'Hyperlink' } : code ? { style: 'InlineCode' } : {}),
    ...(isMirrored && { rightToLeft: true }),
  });
}

/** A picture of the page, at most as wide as its place; null if there is none. */
export function writePicture(context: WordContext, element: PageElement, width: number): ImageRun | null {
  const picture = context.pictures.get(element);
  if (!picture) return null;
  const { attributes } = element;
  const percent = /(?:^|;|\s)width:\s*(\d{1,3})%/.exec(attributes['style'] ?? '')?.[1];
  const available = (width / 1_440) * 96 * (percent === undefined ? 1 : Math.min(100, Number(percent)) / 100);
  const own = element.name === 'svg' ? available : Number.parseFloat(attributes['width'] ?? '') || picture.width;
  const scale = Math.min(own / picture.width, available / picture.width, 700 / picture.height);
  const words = attributes['alt'] ?? attributes['aria-label'] ?? '';
  return new ImageRun({
    type: picture.format,
    data: picture.bytes,
    transformation: {
      width: Math.max(1, Math.round(picture.width * scale)),
      height: Math.max(1, Math.round(picture.height * scale)),
    },
    altText: { title: words, description: words, name: words },
  });
}

/** Writes the words of one paragraph. */
export class InlineWriter {
  readonly #context: WordContext;
  readonly #width: number;
  readonly #isMirrored: boolean;
  #endsInSpace = true;

  constructor(context: WordContext, width: number, isMirrored: boolean) {
    this.#context = context;
    this.#width = width;
    this.#isMirrored = isMirrored;
  }

  write(nodes: readonly PageNode[], look: Look): ParagraphChild[] {
    return nodes.flatMap((node) => (isElement(node) ? this.#writeElement(node, look) : this.#writeWords(node, look)));
  }

  /** Something that is no text, after which a space counts. */
  #single(child: ParagraphChild): ParagraphChild[] {
    this.#endsInSpace = false;
    return [child];
  }

  #writeWords(raw: string, look: Look): ParagraphChild[] {
    const collapsed = raw.replaceAll(/[ \t\n\r\f]+/g, ' ');
    const text = this.#endsInSpace ? collapsed.replace(/^ /, '') : collapsed;
    if (text === '') return [];
    this.#endsInSpace = text.endsWith(' ');
    return [writeText(text, look, this.#isMirrored)];
  }

  #writeElement(element: PageElement, look: Look): ParagraphChild[] {
    const { name, attributes, children } = element;
    if (isSilent(element) || hasClass(element, 'footnotes')) return [];
    if (name === 'br') {
      this.#endsInSpace = true;
      return [new TextRun({ text: '', break: 1 })];
    }
    if (name === 'img' || name === 'svg') {
      const picture = writePicture(this.#context, element, this.#width);
      return picture ? this.#single(picture) : this.#writeWords(attributes['alt'] ?? '', look);
    }
    if (name === 'input') return this.#writeWords('checked' in attributes ? '☑ ' : '☐ ', look);
    if (hasClass(element, 'bar')) return this.#writeBar(element);
    if (name === 'a') return this.#writeLink(element, look);
    const own = name === 'sup' && this.#isNote(element) ? {} : { ...looks[name], ...lookOf(element, this.#context.theme) };
    const words = this.write(children, { ...look, ...own });
    const label = this.#context.labels.get(attributes['id'] ?? '');
    return label === undefined || words.length === 0 ? words : [new Bookmark({ id: label, children: words })];
  }

  #isNote(element: PageElement): boolean {
    return element.children.some((child) => isElement(child) && child.name === 'a' && this.#context.notes.has(targetOf(child)));
  }

  /** The share of a whole, as a part of the width. */
  #writeBar(element: PageElement): ParagraphChild[] {
    const { theme } = this.#context;
    const style = element.attributes['style'] ?? '';
    const part = Number(/--part:\s*(\d{1,3})/.exec(style)?.[1] ?? 0);
    const own = /background:\s*([^;]+)/.exec(style)?.[1] ?? '';
    const fill = readColor(resolveRoles(theme, own)) ?? lookOf(element, theme).color ?? theme.colors.accent;
    const share = Math.min(100, Math.max(1, part));
    const width = Math.max(2, Math.round(((share / 100) * this.#width) / 15));
    const words = `${part} %`;
    return this.#single(
      new ImageRun({
        type: 'gif',
        data: drawPoint(fill),
        transformation: { width, height: barHeight },
        altText: { title: words, description: words, name: words },
      }),
    );
  }

  #writeLink(element: PageElement, look: Look): ParagraphChild[] {
    const target = targetOf(element);
    const number = target === '' ? undefined : this.#context.noteNumber(target);
    if (number !== undefined) {
      const again = () => writeText(String(number.number), { ...look, place: 'raised' }, this.#isMirrored);
      return this.#single(number.isFirst ? new FootnoteReferenceRun(number.number) : again());
    }
    const label = this.#context.labels.get(target);
    const counted = this.#context.numbered.get(target);
    if (label !== undefined && counted !== undefined) return this.#single(new SimpleField(`REF ${label} \\h`, counted));
    if (label !== undefined) {
      const words = textOf(element) === '' ? [`“${this.#context.titles.get(target) ?? ''}”`] : element.children;
      return [new InternalHyperlink({ anchor: label, children: this.write(words, look) })];
    }
    const address = safeLink(element.attributes['href'] ?? '');
    if (address === null) return this.write(element.children, look);
    return [new ExternalHyperlink({ link: address, children: this.write(element.children, { ...look, link: true }) })];
  }
}

/** The id that a link within the page leads to; empty for others. */
export function targetOf({ attributes }: PageElement): string {
  const address = attributes['href'] ?? '';
  return address.startsWith('#') ? address.slice(1) : '';
}
