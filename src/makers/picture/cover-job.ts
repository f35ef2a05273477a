import type { MakerOutcome, ReadFile } from '../maker-outcome.ts';
import { openPicture } from './picture-file.ts';

export interface CoverJob {
  /** What the picture is asked for by. */
  path: string;
}

const width = 640;
const height = 400;

/** A small PNG of a picture. */
export async function makeCover({ path }: CoverJob, readFile: ReadFile): Promise<MakerOutcome> {
  const { image } = await openPicture(await readFile(path), path);
  const size = { width, height, fit: 'inside', withoutEnlargement: true } as const;
  const bytes = await image.resize(size).toColourspace('srgb').png({ compressionLevel: 8 }).toBuffer();
  return { files: [{ path, bytes }], notes: [] };
}
