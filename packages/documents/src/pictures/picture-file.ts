import sharp, { type Metadata, type Sharp } from 'sharp';
import { invalidField } from '@errand/base/fault.ts';

/** Larger pictures are rejected before a pixel is decoded: a small file can decompress to gigabytes. */
export const mostPixels = 50_000_000;

sharp.cache(false);
sharp.concurrency(1);

/** Loaders known to be robust against hostile files; all others of the library are disabled. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});

/** A picture that can be embedded in a document. */
export interface Picture {
  bytes: Uint8Array;
  format: 'png' | 'jpg';
  width: number;
  height: number;
}

function refuse(path: string, error: unknown): never {
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : '';
  const isLarge = reason?.includes('pixel limit') === true;
  const problem = isLarge
    ? `has more than ${mostPixels} pixels`
    : 'is no picture that can be read (png, jpg, webp, gif, tiff, svg, avif)';
  throw invalidField('image', `"${path}" ${problem}.`);
}

/** Opens a picture of the workspace, upright. Throws a Fault for invalid files. */
export async function openPicture(bytes: Uint8Array, path: string): Promise<{ image: Sharp; facts: Metadata }> {
  try {
    const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 });
    const facts = await image.metadata();
    return { image: image.autoOrient(), facts };
  } catch (error) {
    return refuse(path, error);
  }
}

/** Encodes a picture as PNG or JPEG, scaled down if a side is longer than `longestSide`. */
export async function readPicture(bytes: Uint8Array, path: string, longestSide = 2_000): Promise<Picture> {
  const { image, facts } = await openPicture(bytes, path);
  const isPhoto = facts.format === 'jpeg' || (!facts.hasAlpha && (facts.format === 'webp' || facts.format === 'heif'));
  const sized = image.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true });
  try {
    const drawn = isPhoto ? sized.flatten({ background: '#fff' }).jpeg({ quality: 86 }) : sized.png({ compressionLevel: 8 });
    const { data, info } = await drawn.toColourspace('srgb').toBuffer({ resolveWithObject: true });
    return { bytes: data, format: isPhoto ? 'jpg' : 'png', width: info.width, height: info.height };
  } catch (error) {
    return refuse(path, error);
  }
}
