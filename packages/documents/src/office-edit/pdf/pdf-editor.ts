import { degrees, type PDFDocument, PDFSignature } from '@cantoo/pdf-lib';
import { invalidField } from '@errand/base/fault.ts';
import { cleanText } from '../../clean-text.ts';
import type { GeneratorOutcome, ReadFile } from '../../generator-outcome.ts';
import { FontBook } from '../../pdf/font-book.ts';
import type { EditShapes } from '../edit-fields.ts';
import type { OfficeEdit, OfficeJob } from '../edit-spec.ts';
import { fillForm, flattenForm } from './form-filling.ts';
import { readChoices, readPages } from './page-choice.ts';
import { stampPage } from './page-stamp.ts';
import { arrangePages } from './page-tree.ts';
import { loadPdf } from './pdf-loading.ts';

/** The edits of PDFs. */
export const pdfEdits: EditShapes = {
  merge: { needs: ['files'], takes: ['position'] },
  select_pages: { needs: ['pages'] },
  rotate_pages: { needs: ['degrees'], takes: ['pages'] },
  stamp: { needs: [], takes: ['text', 'image', 'pages', 'at', 'size', 'width_cm', 'opacity'] },
  fill: { needs: ['values'] },
  flatten: { needs: [] },
  split: { needs: ['pages'] },
};

const mostParts = 50;
const pointsPerCm = 72 / 2.54;

function countPages(count: number): string {
  return count === 1 ? 'a page' : `${count} pages`;
}

function hasFields(document: PDFDocument): boolean {
  return document.catalog.AcroForm() !== undefined && document.getForm().getFields().length > 0;
}

/** A PDF that is being edited. */
class PdfEditor {
  readonly #job: OfficeJob;
  readonly #readFile: ReadFile;
  readonly #isSigned: boolean;
  #document: PDFDocument;
  #book: FontBook;
  #parts: { label: string; bytes: Uint8Array }[] | null = null;

  constructor(document: PDFDocument, job: OfficeJob, readFile: ReadFile) {
    [this.#document, this.#job, this.#readFile] = [document, job, readFile];
    this.#book = this.#openBook();
    this.#isSigned =
      hasFields(document) &&
      document
        .getForm()
        .getFields()
        .some((each) => each instanceof PDFSignature && each.acroField.V());
  }

  #openBook(): FontBook {
    return new FontBook(this.#document, '', { field: 'text', remedy: 'Stamp a picture of it instead.' });
  }

  async #write(): Promise<Uint8Array> {
    for (const font of this.#book.used) font.embed(this.#document);
    return this.#document.save();
  }

  /** What the library keeps of the pages is out of date after they were arranged. */
  async #reopen(): Promise<void> {
    this.#document = await loadPdf(await this.#write(), this.#job.path);
    this.#book = this.#openBook();
  }

  async #merge(files: readonly string[], position: number | undefined): Promise<string> {
    const before = this.#document.getPageCount();
    if (position !== undefined && position > before + 1) throw invalidField('position', `must be from 1 to ${before + 1}.`);
    let at = (position ?? before + 1) - 1;
    const flattened: string[] = [];
    for (const [index, path] of files.entries()) {
      const other = await loadPdf(await this.#readFile(path), path, `files.${index}`);
      if (hasFields(other)) {
        other.getForm().flatten();
        flattened.push(path);
      }
      for (const page of await this.#document.copyPages(other, other.getPageIndices())) this.#document.insertPage(at++, page);
    }
    const added = this.#document.getPageCount() - before;
    const note = flattened.length === 0 ? '' : `; the forms of ${flattened.join(', ')} are plain content now`;
    return `added ${countPages(added)}; there are ${before + added} now${note}`;
  }

  async #select(text: string): Promise<string> {
    const before = this.#document.getPageCount();
    const pages = readPages(text, before);
    arrangePages(this.#document, pages);
    await this.#reopen();
    const left = before - pages.length;
    return `${countPages(pages.length)} in this order${left > 0 ? `; ${countPages(left)} removed, with the bookmarks and tags of the file` : ''}`;
  }

  #rotate(by: number, text: string | undefined): string {
    const pages = readPages(text, this.#document.getPageCount());
    for (const number of pages) {
      const page = this.#document.getPage(number - 1);
      page.setRotation(degrees((((page.getRotation().angle + by) % 360) + 360) % 360));
    }
    return `turned ${countPages(pages.length)} by ${by}° clockwise`;
  }

  async #stamp({ text, image, pages: chosen, at, size: sizePt, width_cm: widthCm, opacity }: OfficeEdit): Promise<string> {
    if ((text === undefined) === (image === undefined)) throw invalidField('text', 'give either text or image.');
    const document = this.#document;
    const count = document.getPageCount();
    const pages = readPages(chosen, count);
    const picture = image === undefined ? undefined : await this.#embed(image);
    const widthPt = widthCm === undefined ? undefined : widthCm * pointsPerCm;
    for (const number of pages) {
      const words = text && cleanText(text).replaceAll('{page}', String(number)).replaceAll('{pages}', String(count));
      const stamp = { text: words, image: picture, at, sizePt, widthPt, opacity };
      stampPage(document, this.#book, document.getPage(number - 1), stamp);
    }
    return `stamped ${countPages(pages.length)}`;
  }

  async #embed(path: string) {
    const { readPicture } = await import('../../pictures/picture-file.ts');
    const { bytes, format } = await readPicture(await this.#readFile(path), path);
    return format === 'png' ? this.#document.embedPng(bytes) : this.#document.embedJpg(bytes);
  }

  async #split(text: string): Promise<string> {
    const choices = readChoices(text, this.#document.getPageCount());
    if (choices.length > mostParts)
      throw invalidField('pages', `names ${choices.length} files; ${mostParts} can be made at once.`);
    const whole = await this.#write();
    const parts: { label: string; bytes: Uint8Array }[] = [];
    for (const { label, pages } of choices) {
      const document = await loadPdf(whole, this.#job.path);
      arrangePages(document, pages);
      parts.push({ label: label.endsWith('-') ? `${label}${pages.at(-1)}` : label, bytes: await document.save() });
    }
    this.#parts = parts;
    return parts.length === 1 ? 'one file' : `${parts.length} files`;
  }

  /** Makes one edit, whose fields have been checked; a line for the report. */
  async edit(each: OfficeEdit): Promise<string> {
    if (this.#parts) throw invalidField('do', 'comes after split, which must be the last edit.');
    const { files = [], position, pages, degrees: by = 0, values = {} } = each;
    switch (each.do) {
      case 'merge':
        return this.#merge(files, position);
      case 'select_pages':
        return this.#select(pages ?? '');
      case 'rotate_pages':
        return this.#rotate(by, pages);
      case 'stamp':
        return this.#stamp(each);
      case 'fill':
        return fillForm(this.#document, this.#book, values);
      case 'flatten':
        return flattenForm(this.#document);
      case 'split':
        return this.#split(pages ?? '');
      default:
        throw invalidField('do', 'is no edit of PDFs.');
    }
  }

  async save(): Promise<GeneratorOutcome> {
    const { output } = this.#job;
    const notes = this.#isSigned ? ['The file was signed; its signature does not hold for the edited file.'] : [];
    if (!this.#parts) return { files: [{ path: output, bytes: await this.#write() }], notes };
    const stem = output.replace(/\.pdf$/i, '');
    return { files: this.#parts.map(({ label, bytes }) => ({ path: `${stem}-pages-${label}.pdf`, bytes })), notes };
  }
}

/** An editor of a PDF in memory. Throws a Fault for a file that is protected or cannot be read. */
export async function openPdf(bytes: Uint8Array, job: OfficeJob, readFile: ReadFile): Promise<PdfEditor> {
  return new PdfEditor(await loadPdf(bytes, job.path), job, readFile);
}
