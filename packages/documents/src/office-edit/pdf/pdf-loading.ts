import { inflateSync } from 'node:zlib';
import { PDFArray, PDFDocument, PDFName, PDFObjectStreamParser, type PDFRawStream, PDFXRefStreamParser } from '@cantoo/pdf-lib';
import { invalidField } from '@errand/base/fault.ts';

/** What the tables of contents of one file may take unpacked; a file of a million objects needs 60 MB. */
const mostUnpackedBytes = 128 * 1024 * 1024;
const mostPages = 5_000;

/** What the file being read may still unpack, and why it is refused; a thread reads one at a time. */
let reading: { leftBytes: number; problem: string | null } = { leftBytes: 0, problem: null };

/** Throws for a part that would unpack to more than is left: the library unpacks without a limit, and reads on after an error. */
function countUnpacked({ dict, contents }: PDFRawStream): void {
  const filter = dict.lookup(PDFName.of('Filter'));
  const [first, other] = filter instanceof PDFArray ? filter.asArray() : [filter];
  if (!first) return;
  if (other || first !== PDFName.of('FlateDecode')) reading.problem = 'it is packed in an unusual way';
  else {
    try {
      reading.leftBytes -= inflateSync(contents, { maxOutputLength: Math.max(1, reading.leftBytes) }).length;
    } catch (error) {
      // What is damaged is for the library to judge.
      if (error instanceof RangeError) reading.problem = 'it unpacks to more than can be held';
    }
  }
  if (reading.problem !== null) throw new Error(reading.problem);
}

const { forStream: readObjects } = PDFObjectStreamParser;
PDFObjectStreamParser.forStream = (stream, ...rest) => {
  countUnpacked(stream);
  return readObjects(stream, ...rest);
};
const { forStream: readPlaces } = PDFXRefStreamParser;
PDFXRefStreamParser.forStream = (stream) => {
  countUnpacked(stream);
  return readPlaces(stream);
};

/**
 * Opens a PDF. Throws a Fault that names the field for files that are protected, broken, too large, or none.
 *
 * @param path what the file is called in errors
 */
export async function loadPdf(bytes: Uint8Array, path: string, field = 'path'): Promise<PDFDocument> {
  reading = { leftBytes: mostUnpackedBytes, problem: null };
  const options = { ignoreEncryption: true, updateMetadata: false, parseSpeed: Infinity };
  const refuse = (problem: string) => invalidField(field, `${path} ${problem}`);
  const opened = await PDFDocument.load(bytes, options)
    .then((document) => ({ document, count: document.getPageCount() }))
    .catch(() => null);
  if (!opened || reading.problem !== null) {
    const problem = reading.problem ?? 'it is damaged, or no PDF';
    throw refuse(`cannot be read: ${problem}. Ask for another copy, or print it as PDF once more.`);
  }
  const { document, count } = opened;
  if (document.isEncrypted) throw refuse('is protected. Ask for a copy without a password and without restrictions.');
  if (count === 0) throw refuse('has no pages, or is damaged. Ask for another copy.');
  if (count > mostPages) throw refuse(`has ${count} pages, more than the ${mostPages} that can be edited.`);
  return document;
}
