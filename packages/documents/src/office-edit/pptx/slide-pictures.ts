import { invalidField } from '@errand/base/fault.ts';
import type { Picture } from '../../pictures/picture-file.ts';
import { type MarkupElement, removeNode } from '../markup/markup-tree.ts';
import { prefixOf } from '../package/office-package.ts';
import { type Presentation, relationAttributes, slideSpace } from './presentation.ts';
import { findPicture, insertOrdered } from './slide-changes.ts';
import { drawingSpace } from './slide-text.ts';

/** The proportions of the frame of a picture; null where it takes them from the layout. */
function frameRatio(picture: MarkupElement): number | null {
  const extent = picture.child(slideSpace, 'spPr')?.child(drawingSpace, 'xfrm')?.child(drawingSpace, 'ext');
  const [width, height] = [Number(extent?.attribute('cx')), Number(extent?.attribute('cy'))];
  return width > 0 && height > 0 ? width / height : null;
}

/** Cuts what is beyond the frame off on both sides, in thousandths of a percent. */
function writeCrop(fill: MarkupElement, ratio: number, { width, height }: Picture): void {
  const former = fill.child(drawingSpace, 'srcRect');
  if (former) removeNode(former);
  const own = width / height;
  const share = Math.round((1 - Math.min(own / ratio, ratio / own)) * 50_000);
  if (share < 100) return;
  const sides = own > ratio ? `l="${share}" r="${share}"` : `t="${share}" b="${share}"`;
  insertOrdered(fill, `<${prefixOf(fill, drawingSpace)}srcRect ${sides}/>`, ['tile', 'stretch']);
}

export interface PictureOptions {
  picture: Picture;
  slide: number;
  at?: string | undefined;
  alt?: string | undefined;
}

/** Shows another picture in the frame of one, cut to its proportions. */
export function replacePicture(presentation: Presentation, { picture, slide, at, alt }: PictureOptions): string {
  const { parts, main } = presentation;
  const shown = findPicture(presentation, slide, at);
  const fill = shown.child(slideSpace, 'blipFill');
  const blip = fill?.child(drawingSpace, 'blip');
  if (!fill || !blip) throw invalidField('at', 'is a picture that another program shows. Choose another one.');
  const { part } = presentation.slide(slide);
  const media = parts.freeName(`${main.slice(0, main.lastIndexOf('/') + 1)}media/image`, `.${picture.format}`);
  parts.write(media, picture.bytes, picture.format === 'png' ? 'image/png' : 'image/jpeg');
  blip.setAttribute('embed', parts.relate(part, 'image', media), relationAttributes);
  blip.setAttribute('link', null, relationAttributes);
  // Drawings and effects of the former picture.
  blip.replaceChildren([]);
  const ratio = frameRatio(shown);
  if (ratio !== null) writeCrop(fill, ratio, picture);
  if (alt !== undefined) shown.child(slideSpace, 'nvPicPr')?.child(slideSpace, 'cNvPr')?.setAttribute('descr', alt);
  return `replaced a picture of slide ${slide}`;
}
