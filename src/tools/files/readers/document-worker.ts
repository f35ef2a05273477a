import { readSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Fault } from '@errand/base/fault.ts';
import { serveReading } from '../reader-threads/reader-thread-worker.ts';
import type { Parts } from './package-parts.ts';
import { partText, readParts } from './package-parts.ts';
import type { Reading, ReadingQuestion } from './document-reading.ts';

/** The code of the thread that reads documents. Libraries are loaded only for the type at hand, or that is to be expected. */

async function readPackage(bytes: Uint8Array, sheet?: string): Promise<Reading> {
  const parts: Parts = await readParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const has = (name: string) => parts.has(name);
  const office = () => import('./office-text.ts');
  const sheets = () => import('./sheet-text.ts');
  if (has('word/document.xml')) return (await office()).readWord(parts);
  if (has('xl/workbook.xml')) return (await sheets()).readWorkbook(parts, sheet);
  if (has('ppt/presentation.xml')) return (await office()).readSlides(parts);
  const type = partText(parts, 'mimetype');
  if (type.includes('opendocument.spreadsheet')) return (await sheets()).readOpenWorkbook(parts, sheet);
  if (type.includes('opendocument')) return (await office()).readOpenDocument(parts);
  throw new Fault('failed_precondition', 'The package is not a document.');
}

/** A file may shrink while it is read; the missing part is then zeros, and the file counts as damaged. */
function load(source: ReadingQuestion['source']): Uint8Array {
  if (source instanceof Uint8Array) return source;
  const bytes = new Uint8Array(source.bytes);
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(source.descriptor, bytes, at, bytes.length - at, at);
    if (count === 0) break;
    at += count;
  }
  return bytes;
}

async function readDocument({ source, kind, url, contentType, sheet }: ReadingQuestion): Promise<Reading> {
  const bytes = load(source);
  switch (kind) {
    case 'pdf':
      return (await import('./pdf-text.ts')).readPdf(bytes);
    case 'package':
      return readPackage(bytes, sheet);
    case 'old-office':
      return (await import('./sheet-text.ts')).readOldWorkbook(bytes, sheet);
    case 'image':
      return (await import('./image-facts.ts')).readImage(bytes);
    case 'audio':
    case 'video':
      return (await import('./media/recording-facts.ts')).readRecording(bytes);
    case 'page':
      return (await import('./page-text.ts')).readPage(bytes, url, contentType);
    default:
      throw new Fault('invalid_argument', 'Text cannot be extracted from files of this type.');
  }
}

if (workerData === 'page') await import('./page-text.ts');
await serveReading((question) => readDocument(question as ReadingQuestion));
