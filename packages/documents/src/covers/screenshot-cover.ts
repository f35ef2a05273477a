import { Fault } from '@errand/base/fault.ts';
import type { CoverSize } from './page-cover.ts';
import { openPicture } from '../pictures/picture-file.ts';

/** A picture with less spread shows nothing: the page is empty, or failed to render. */
const leastSpread = 1;

/** A picture of a page as a browser shows it. Throws for a page in a single color. */
export async function drawScreenshot(bytes: Uint8Array, path: string, { width, height }: CoverSize): Promise<Uint8Array> {
  const { image } = await openPicture(bytes, path);
  const { channels } = await image.clone().stats();
  if (channels.slice(0, 3).every(({ stdev }) => stdev < leastSpread))
    throw new Fault('invalid_argument', 'The page shows nothing.');
  return image.resize({ width, height, fit: 'inside' }).png({ compressionLevel: 8 }).toBuffer();
}
