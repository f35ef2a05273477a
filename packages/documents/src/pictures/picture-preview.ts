import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { openPicture } from './picture-file.ts';

export interface ViewJob {
  /** What the picture is asked for by. */
  path: string;
}

/** What providers look at; they make larger pictures smaller themselves, and charge for them. */
const longestSide = 1568;
/** Pictures of pages and charts stay exact while they are not larger than this; photographs are. */
const largestPngBytes = 600_000;

/** A picture as models are shown it: upright, of a bounded size, and one that every provider takes. */
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
