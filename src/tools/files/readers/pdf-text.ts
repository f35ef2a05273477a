import { Fault } from '@errand/base/fault.ts';
import { longestReading, type Reading } from './document-reading.ts';

const maxPages = 2_000;

interface TextItem {
  str?: string;
  hasEOL?: boolean;
}

/** The text of the pages in drawing order. Scanned pages have none. */
export async function readPdf(bytes: Uint8Array): Promise<Reading> {
  const { getDocument, PasswordException } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: bytes, verbosity: 0, useSystemFonts: false, disableFontFace: true, stopAtErrors: false });
  try {
    const document = await task.promise;
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= Math.min(document.numPages, maxPages) && length < longestReading; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = (items as TextItem[]).map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
      page.cleanup();
      pages.push(`--- page ${number} ---\n${text.trim()}`);
      length += text.length;
    }
    const isScan = length === 0;
    const what = `PDF, ${document.numPages} ${document.numPages === 1 ? 'page' : 'pages'}${isScan ? ', no text in it (pictures of pages?)' : ''}`;
    return { what, text: isScan ? '' : pages.join('\n\n') };
  } catch (error) {
    if (error instanceof PasswordException) throw new Fault('invalid_argument', 'The PDF is protected by a password.');
    throw error;
  } finally {
    await task.destroy();
  }
}
