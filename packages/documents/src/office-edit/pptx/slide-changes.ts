import { invalidField } from '@errand/base/fault.ts';
import { parseElement } from '../markup/markup-parser.ts';
import { cloneNode, insertAfter, insertBefore, type MarkupElement, removeNode } from '../markup/markup-tree.ts';
import { type CopyRule, copyPart, reachParts } from '../package/part-copying.ts';
import { type Presentation, relationAttributes, type Slide, slideSpace } from './presentation.ts';

const shared = new Set([
  'slideLayout',
  'slideMaster',
  'notesMaster',
  'theme',
  'image',
  'media',
  'video',
  'audio',
  'slide',
  'hyperlink',
  'font',
]);

const rule: CopyRule = (type) => (shared.has(type) ? 'share' : type.toLowerCase().startsWith('comment') ? 'drop' : 'copy');

/** Where slides are listed besides: in sections. */
function sectionEntry(presentation: Presentation, id: string): MarkupElement | undefined {
  const isEntry = (each: MarkupElement) => each.local === 'sldId' && each.space !== slideSpace && each.attribute('id') === id;
  return [...presentation.root.descendants(isEntry)][0];
}

function nextSlideId(presentation: Presentation): number {
  const ids = presentation.root.child(slideSpace, 'sldIdLst')?.elements.map((each) => Number(each.attribute('id'))) ?? [];
  return ids.reduce((most, id) => (id > most ? id : most), 255) + 1;
}

/** Puts the entry of a slide after that of another one, or first. */
function placeEntry(presentation: Presentation, entry: MarkupElement, after: Slide | undefined): void {
  const list = presentation.root.child(slideSpace, 'sldIdLst');
  if (!list) return;
  const id = entry.attribute('id') ?? '';
  const inSection = sectionEntry(presentation, id);
  const neighbor = after ?? presentation.slides().find((slide) => slide.entry !== entry);
  removeNode(entry);
  if (after) insertAfter(after.entry, [entry]);
  else list.insertAt(0, [entry]);
  const place = neighbor && sectionEntry(presentation, neighbor.entry.attribute('id') ?? '');
  if (!place) return;
  const moved = inSection ?? cloneNode(place);
  if (inSection) removeNode(inSection);
  moved.setAttribute('id', id);
  if (after) insertAfter(place, [moved]);
  else insertBefore(place, [moved]);
}

/** A copy of a slide with its notes and charts, after it or at a position. */
export function duplicateSlide(presentation: Presentation, number: number, position: number | undefined): string {
  const { parts, main, root } = presentation;
  const source = presentation.slide(number);
  const slides = presentation.slides();
  const at = position ?? number + 1;
  if (at < 1 || at > slides.length + 1) throw invalidField('position', `must be from 1 to ${slides.length + 1}.`);
  const copy = copyPart(parts, source.part, rule);
  const id = parts.relate(main, 'slide', copy);
  const entry = cloneNode(source.entry);
  entry.setAttribute('id', String(nextSlideId(presentation)));
  entry.setAttribute('id', id, relationAttributes);
  root.child(slideSpace, 'sldIdLst')?.append(entry);
  placeEntry(presentation, entry, slides[at - 2]);
  return `copied slide ${number}; the copy is slide ${at}`;
}

/** Moves a slide to another position. */
export function moveSlide(presentation: Presentation, number: number, position: number): string {
  const { entry } = presentation.slide(number);
  const others = presentation.slides().filter((slide) => slide.entry !== entry);
  if (position < 1 || position > others.length + 1) throw invalidField('position', `must be from 1 to ${others.length + 1}.`);
  placeEntry(presentation, entry, others[position - 2]);
  return `moved slide ${number}, which is slide ${position} now`;
}

/** Removes links of other slides to one. */
function removeLinks(presentation: Presentation, { part }: Slide): void {
  const { parts } = presentation;
  for (const other of presentation.slides().flatMap((slide) => presentation.texts(slide))) {
    const ids = new Set(
      parts
        .relations(other)
        .filter(({ type, target }) => type === 'slide' && target === part)
        .map(({ id }) => id),
    );
    if (ids.size === 0 || other === part) continue;
    const isLink = (each: MarkupElement) => ids.has(each.attribute('id', relationAttributes) ?? '');
    for (const link of [...parts.root(other).descendants(isLink)]) removeNode(link);
    parts.unrelate(other, ({ id }) => ids.has(id));
  }
}

/** Deletes a slide with everything that only it shows. */
export function deleteSlide(presentation: Presentation, number: number): string {
  const { parts, main, root } = presentation;
  const slide = presentation.slide(number);
  if (presentation.slides().length === 1) throw invalidField('slide', 'is the only one; a presentation keeps at least one.');
  const owned = [slide.part, ...reachParts(parts, slide.part)];
  for (const own of presentation.texts(slide).slice(1)) parts.unrelate(own, ({ target }) => target === slide.part);
  removeLinks(presentation, slide);
  const relation = slide.entry.attribute('id', relationAttributes);
  const inShow = (each: MarkupElement) => each.is(slideSpace, 'sld') && each.attribute('id', relationAttributes) === relation;
  const listed = sectionEntry(presentation, slide.entry.attribute('id') ?? '');
  for (const each of [slide.entry, ...(listed ? [listed] : []), ...root.descendants(inShow)]) removeNode(each);
  parts.unrelate(main, ({ id }) => id === relation);
  const left = reachParts(parts, '');
  for (const part of owned) if (!left.has(part)) parts.remove(part);
  return `deleted slide ${number}`;
}

/** The pictures of a slide. */
function listPictures(root: MarkupElement): { picture: MarkupElement; names: string[] }[] {
  return [...root.descendants((each) => each.is(slideSpace, 'pic'))].map((picture) => {
    const properties = picture.child(slideSpace, 'nvPicPr')?.child(slideSpace, 'cNvPr');
    return {
      picture,
      names: ['name', 'descr', 'title'].flatMap((name) => properties?.attribute(name) ?? []).filter((name) => name !== ''),
    };
  });
}

/** The picture of a slide with this name or alternative text; without one the only picture. */
export function findPicture(presentation: Presentation, number: number, at: string | undefined): MarkupElement {
  const pictures = listPictures(presentation.parts.root(presentation.slide(number).part));
  const meant =
    at === undefined ? pictures : pictures.filter(({ names }) => names.some((name) => name.toLowerCase() === at.toLowerCase()));
  const [found, other] = meant;
  if (found && !other) return found.picture;
  const names = pictures.map((each) => JSON.stringify(each.names[0] ?? '')).join(', ');
  throw invalidField(
    'at',
    pictures.length === 0 ? `slide ${number} has no picture.` : `must name one of the pictures of slide ${number}: ${names}.`,
  );
}

/** Puts an element before the first of those that come after it. */
export function insertOrdered(parent: MarkupElement, markup: string, following: readonly string[]): MarkupElement {
  const element = parseElement(markup, parent);
  const next = parent.elements.find((each) => following.includes(each.local));
  if (next) insertBefore(next, [element]);
  else parent.append(element);
  return element;
}
