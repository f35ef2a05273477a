import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { openPicture } from '../pictures/picture-file.ts';

/** The type of source bytes for a cover: a picture, a PDF, or a text extracted from something. */
export type CoverForm = 'picture' | 'pdf' | 'screenshot' | 'markdown' | 'text' | 'table' | 'slide' | 'sound';

export interface CoverJob {
  /** The name under which the bytes are requested. */
  path: string;
  form: CoverForm;
}

const width = 640;
const height = 400;
const size = { width, height };

/** Readers accept a PDF even if something precedes its header. */
function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-');
}

async function drawPicture(content: Uint8Array, path: string): Promise<Uint8Array> {
  const { image } = await openPicture(content, path);
  const bounds = { ...size, fit: 'inside', withoutEnlargement: true } as const;
  return image.resize(bounds).toColourspace('srgb').png({ compressionLevel: 8 }).toBuffer();
}

async function drawCover(content: Uint8Array, { path, form }: CoverJob): Promise<Uint8Array> {
  switch (form) {
    case 'picture':
      // A file named as a picture may be a PDF, and vice versa.
      return isPdf(content) ? drawCover(content, { path, form: 'pdf' }) : drawPicture(content, path);
    case 'pdf':
      return (await import('./page-cover.ts')).drawFirstPage(content, size);
    case 'screenshot':
      return (await import('./screenshot-cover.ts')).drawScreenshot(content, path, size);
    case 'markdown':
    case 'text':
      return (await import('./text-cover.ts')).drawTextPage(content, form, size);
    case 'table':
      return (await import('./table-cover.ts')).drawTable(content, path, size);
    case 'slide':
      return (await import('./slide-cover.ts')).drawSlideWords(content, size);
    case 'sound':
      return (await import('./sound-cover.ts')).drawSound(content, size);
  }
}

/** A small PNG of a picture, of the first page of a document, of the first rows of a table and the like. */
export async function makeCover(job: CoverJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const bytes = await drawCover(await readFile(job.path), job);
  return { files: [{ path: job.path, bytes }], notes: [] };
}
