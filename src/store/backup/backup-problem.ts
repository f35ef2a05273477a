/** A backup that cannot be made, read, or restored. The message is for the operator and says what to do. */
export class BackupProblem extends Error {}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const sqliteFull = 13;

/** Whether a disk, or what a process may write, is full. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode, cause } = error as Error & { code?: string; errcode?: number };
  return fullCodes.has(code ?? '') || errcode === sqliteFull || isFull(cause);
}
