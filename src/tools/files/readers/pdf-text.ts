import { Fault } from '@errand/base/fault.ts';
import { longestReading, type Reading } from './document-reading.ts';

const maxPages = 2_000;
const mostFields = 500;

interface TextItem {
  str?: string;
  hasEOL?: boolean;
}

type Fields = ReadonlyMap<string, { type?: string; value?: unknown }[]>;

/** The fields of a form with what is in them, as a last page; none without a form. */
function describeFields(fields: Fields | null): string[] {
  const lines = [...(fields ?? [])].flatMap(([name, widgets]) => {
    const [widget] = widgets.filter(({ type }) => type !== undefined && type !== '');
    return widget ? [`${JSON.stringify(name)} (${widget.type}): ${JSON.stringify(widget.value ?? '')}`] : [];
  });
  return lines.length === 0 ? [] : [`--- form fields ---\n${lines.slice(0, mostFields).join('\n')}`];
}

/** The text of the pages in drawing order, then the fields of forms. Scanned pages have no text. */
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
    const fields = describeFields(await document.getFieldObjects());
    const what = `PDF, ${document.numPages} ${document.numPages === 1 ? 'page' : 'pages'}${isScan ? ', no text in it (pictures of pages?)' : ''}`;
    return { what, text: [...(isScan ? [] : pages), ...fields].join('\n\n') };
  } catch (error) {
    if (error instanceof PasswordException) throw new Fault('invalid_argument', 'The PDF is protected by a password.');
    throw error;
  } finally {
    await task.destroy();
  }
}
