import type { MadeFile, GeneratorOutcome, ReadFile, ReportProgress } from '../generator-outcome.ts';
import { type DocumentFormat, type DocumentJob, type DocumentSource, readDocument } from '../content/document-source.ts';

/** Each form's libraries are loaded only for it. */
async function writeForm(
  format: DocumentFormat,
  source: DocumentSource,
  readFile: ReadFile,
  notes: string[],
): Promise<Uint8Array> {
  switch (format) {
    case 'pdf': {
      const { makePdf } = await import('../pdf/pdf-document.ts');
      const { bytes, missing } = await makePdf(source);
      if (missing.length > 0) notes.push(`No font has ${missing.slice(0, 10).join(' ')}; left out of the pdf.`);
      return bytes;
    }
    case 'page': {
      const { makePage } = await import('./page-document.ts');
      return makePage(source);
    }
    case 'docx': {
      const { makePage } = await import('./page-document.ts');
      const { makeWord } = await import('../word-pages/word-document.ts');
      const { author, brand } = source;
      const page = { html: Buffer.from(makePage(source)).toString(), folder: '', author, ...(brand && { brand }) };
      const { bytes, remarks } = await makeWord(page, readFile);
      notes.push(...remarks);
      return bytes;
    }
    case 'txt':
    case 'md': {
      const { makeMarkdown, makeText } = await import('./text-document.ts');
      return format === 'txt' ? makeText(source) : makeMarkdown(source);
    }
  }
}

/** Writes one document in every requested form. */
export async function makeDocument(job: DocumentJob, readFile: ReadFile, report: ReportProgress): Promise<GeneratorOutcome> {
  const source = await readDocument(job, readFile);
  const notes: string[] = [...source.remarks];
  const files: MadeFile[] = [];
  for (const { path, format } of job.files) {
    report(`Setting ${path}.`);
    files.push({ path, bytes: await writeForm(format, source, readFile, notes) });
  }
  return { files, notes };
}
