import { Fault } from '@errand/base/fault.ts';

/** An archive that cannot be imported, and why, as the end of a sentence. */
export function refuseArchive(problem: string, cause?: unknown): Fault {
  return new Fault('invalid_argument', `file: this archive cannot be imported: ${problem}`, { param: 'file', cause });
}
