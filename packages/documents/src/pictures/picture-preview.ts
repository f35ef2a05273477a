import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { openPicture } from './picture-file.ts';

export interface ViewJob {
  /** The name under which the picture is requested. */
  path: string;
}

/** The resolution that providers use; they scale down larger pictures themselves, and charge for them. */
const longestSide = 1568;
/** Up to this size, pictures of pages and charts stay lossless PNGs; photographs become JPEGs. */
const largestPngBytes = 600_000;

/** A picture in the form shown to models: upright, bounded in size, and in a format that every provider accepts. */
export async function makeView({ path }: ViewJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const { image } = await openPicture(await readFile(path), path);
  const sized = image
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const png = await sized.clone().png({ compressionLevel: 8 }).toBuffer();
  if (png.length <= largestPngBytes) return { files: [{ path, bytes: png }], notes: [] };
  const jpeg = await sized.flatten({ background: '#fff' }).jpeg({ quality: 80 }).toBuffer();
  return { files: [{ path, bytes: jpeg }], notes: [] };
}
