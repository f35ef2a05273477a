import type { MakerOutcome, ReadFile } from '../maker-outcome.ts';
import { openPicture } from './picture-file.ts';

export interface CoverJob {
  /** What the picture is asked for by. */
  path: string;
}

const width = 640;
const height = 400;

/** Readers take a PDF for one also where something stands before its head. */
function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-');
}

/** A small PNG of a picture, or of the first page of a PDF. */
export async function makeCover({ path }: CoverJob, readFile: ReadFile): Promise<MakerOutcome> {
  const content = await readFile(path);
  if (isPdf(content)) {
    const { drawFirstPage } = await import('./page-cover.ts');
    return { files: [{ path, bytes: await drawFirstPage(content, { width, height }) }], notes: [] };
  }
  const { image } = await openPicture(content, path);
  const size = { width, height, fit: 'inside', withoutEnlargement: true } as const;
  const bytes = await image.resize(size).toColourspace('srgb').png({ compressionLevel: 8 }).toBuffer();
  return { files: [{ path, bytes }], notes: [] };
}
