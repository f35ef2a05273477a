import { Fault, invalidField } from '@errand/base/fault.ts';
import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { openWord, wordEdits } from './docx/word-editor.ts';
import { checkFields, type EditShapes } from './edit-fields.ts';
import type { OfficeEdit, OfficeJob } from './edit-spec.ts';
import { OfficePackage } from './package/office-package.ts';
import { openPresentation, presentationEdits } from './pptx/presentation-editor.ts';
import { openWorkbook, workbookEdits } from './xlsx/workbook-editor.ts';

const compoundFile = 'd0cf11e0a1b11ae1';

function openPackage(bytes: Uint8Array, path: string): OfficePackage {
  if (Buffer.from(bytes.subarray(0, 8)).toString('hex') === compoundFile) {
    throw invalidField(
      'path',
      `${path} is protected by a password, or in the format of before 2007. Ask for a file without, or convert it first.`,
    );
  }
  return new OfficePackage(bytes);
}

function nameEdit(edit: OfficeEdit, index: number, error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'invalid_argument') return error;
  return invalidField(`edits.${index} (${edit.do})`, `${error.message}\nNothing was written.`);
}

function describeParts(changed: readonly string[], kept: number): string {
  const shown = changed.length > 8 ? `${changed.slice(0, 8).join(', ')} and ${changed.length - 8} more` : changed.join(', ');
  return changed.length === 0
    ? 'Nothing was changed.'
    : `Changed parts: ${shown}. The other ${kept} are as they were, byte for byte.`;
}

interface Editor {
  kind: string;
  shapes: EditShapes;
  edit(edit: OfficeEdit): string | Promise<string>;
  /** Returns the files after all edits, with notes for the report. */
  save(): GeneratorOutcome | Promise<GeneratorOutcome>;
}

function savePackage(parts: OfficePackage, { output }: OfficeJob, notes: readonly string[]): GeneratorOutcome {
  const { bytes, changed, kept } = parts.save();
  const signature =
    parts.isSigned && changed.length > 0 ? ['The file was signed; its signature does not hold for the edited file.'] : [];
  return { files: [{ path: output, bytes }], notes: [...notes, describeParts(changed, kept), ...signature] };
}

async function openEditor(job: OfficeJob, readFile: ReadFile): Promise<Editor> {
  const bytes = await readFile(job.path);
  if (/\.pdf$/i.test(job.path)) {
    const { openPdf, pdfEdits } = await import('./pdf/pdf-editor.ts');
    const editor = await openPdf(bytes, job, readFile);
    return { kind: 'PDFs', shapes: pdfEdits, edit: (edit) => editor.edit(edit), save: () => editor.save() };
  }
  const parts = openPackage(bytes, job.path);
  const save = () => savePackage(parts, job, []);
  if (/\.xls[xm]$/i.test(job.path)) {
    const { edit, finish } = openWorkbook(parts);
    return { kind: 'workbooks', shapes: workbookEdits, edit, save: () => savePackage(parts, job, finish()) };
  }
  if (/\.ppt[xm]$/i.test(job.path))
    return { kind: 'presentations', shapes: presentationEdits, edit: openPresentation(parts, readFile), save };
  return { kind: 'Word documents', shapes: wordEdits, edit: openWord(parts, job, readFile), save };
}

/** Edits a file in memory: all of the edits, or none if one is impossible, which the Fault names. */
export async function editOffice(job: OfficeJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const editor = await openEditor(job, readFile);
  const notes: string[] = [];
  for (const [index, edit] of job.edits.entries()) {
    try {
      checkFields(edit, editor.shapes, editor.kind);
      notes.push(`${index + 1}. ${edit.do}: ${await editor.edit(edit)}.`);
    } catch (error) {
      throw nameEdit(edit, index, error);
    }
  }
  const { files, notes: more } = await editor.save();
  return { files, notes: [...notes, ...more] };
}
