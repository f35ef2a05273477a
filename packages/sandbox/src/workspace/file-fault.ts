import { Fault, type FaultCode, invalidField } from '@errand/base/fault.ts';

function readCode(holder: unknown): string | undefined {
  return typeof holder === 'object' && holder !== null && 'code' in holder && typeof holder.code === 'string'
    ? holder.code
    : undefined;
}

/** The error code of a system error (`ENOENT`), undefined for anything else. Errors of `node:os` have it in `info`. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return readCode('info' in error ? error.info : error);
}

const notPlain = 'is not a file or folder that can be used (a link, or a file where a folder is needed).';

/** What each failure means to the caller that named the path. */
const meanings: Record<string, [FaultCode, string]> = {
  ENOENT: ['not_found', 'does not exist. List the folder to see what there is.'],
  ENOTDIR: ['invalid_argument', notPlain],
  ELOOP: ['invalid_argument', notPlain],
  EMLINK: ['invalid_argument', notPlain],
  ENXIO: ['invalid_argument', notPlain],
  EISDIR: ['invalid_argument', 'is a folder. Name a file.'],
  ENAMETOOLONG: ['invalid_argument', 'is too long.'],
  EACCES: ['permission_denied', 'cannot be used: its permissions forbid it. Change them with a command.'],
  EPERM: ['permission_denied', 'cannot be used: its permissions forbid it. Change them with a command.'],
  ENOSPC: ['unavailable', 'cannot be written: the disk is full.'],
  EDQUOT: ['unavailable', 'cannot be written: the disk is full.'],
  EMFILE: ['unavailable', 'cannot be opened now: too many files are open. Try again.'],
  ENFILE: ['unavailable', 'cannot be opened now: too many files are open. Try again.'],
};

/** Converts a file system error to a Fault about the path as the caller wrote it; unknown errors are returned unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const meaning = meanings[systemErrorCode(error) ?? ''];
  if (!meaning) return error;
  const [code, text] = meaning;
  return new Fault(code, `path: ${JSON.stringify(path)} ${text}`, { cause: error });
}

export function notAFile(path: string): Fault {
  return invalidField('path', `${JSON.stringify(path)} is not a file.`);
}

export function tooLarge(path: string, bytes: number | null, limitBytes: number): Fault {
  const size = bytes === null ? 'larger than' : `${bytes} bytes, more than`;
  const text = `path: ${JSON.stringify(path)} is ${size} the ${limitBytes} bytes that can be handled at once. Work on a part of it.`;
  return new Fault('payload_too_large', text);
}
