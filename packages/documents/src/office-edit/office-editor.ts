import { Fault, invalidField } from '@errand/base/fault.ts';
import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { openWord, wordEdits } from './docx/word-editor.ts';
import { checkFields } from './edit-fields.ts';
import type { OfficeEdit, OfficeJob } from './edit-spec.ts';
import { OfficePackage } from './package/office-package.ts';

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

/** Edits a file in memory: all of the edits, or none if one is impossible, which the Fault names. */
export async function editOffice(job: OfficeJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const parts = openPackage(await readFile(job.path), job.path);
  const makeEdit = openWord(parts, job, readFile);
  const notes: string[] = [];
  for (const [index, edit] of job.edits.entries()) {
    try {
      checkFields(edit, wordEdits, 'Word documents');
      notes.push(`${index + 1}. ${edit.do}: ${await makeEdit(edit)}.`);
    } catch (error) {
      throw nameEdit(edit, index, error);
    }
  }
  const { bytes, changed, kept } = parts.save();
  const signature =
    parts.isSigned && changed.length > 0 ? ['The file was signed; its signature does not hold for the edited file.'] : [];
  return { files: [{ path: job.output, bytes }], notes: [...notes, describeParts(changed, kept), ...signature] };
}
