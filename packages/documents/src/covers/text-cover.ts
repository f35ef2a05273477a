import { cleanText } from '../clean-text.ts';
import { makeDocument } from '../text-documents/document-generator.ts';
import type { DocumentJob } from '../content/document-source.ts';
import { type CoverSize, drawFirstPage } from './page-cover.ts';

/** More than the first page holds. */
const longestText = 8_000;

/** Escapes plain text, so that none of it is taken for markup. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+\-.!|~>]/g, '\\$&').replaceAll('\n', '  \n');
}

/** Cuts at a line end, so that no markup is split. */
function takeStart(text: string): string {
  if (text.length <= longestText) return text;
  const end = text.lastIndexOf('\n', longestText);
  return text.slice(0, end > longestText / 2 ? end : longestText).toWellFormed();
}

/** Images refer to files that are not available here. */
function dropPictures(markdown: string): string {
  return markdown.replaceAll(/!\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)/g, '$1');
}

/** The first page of a text, typeset as a PDF. Rejects for scripts that our PDFs do not support. */
export async function drawTextPage(content: Uint8Array, form: 'markdown' | 'text', size: CoverSize): Promise<Uint8Array> {
  const start = takeStart(cleanText(Buffer.from(content).toString('utf8')));
  const job: DocumentJob = {
    files: [{ path: 'cover.pdf', format: 'pdf' }],
    markdown: form === 'text' ? escapeMarks(start) : dropPictures(start),
    ...{ title: '', subtitle: '', author: '', date: '', language: '', hasTitlePage: false, pageSize: 'A4', nowMs: 0 },
  };
  const noFile = () => Promise.reject(new Error('a cover reads no files'));
  const { files } = await makeDocument(job, noFile, () => undefined);
  const [pdf] = files;
  if (!pdf) throw new Error('no page was made');
  return drawFirstPage(pdf.bytes, size);
}
