import { invalidField } from '@errand/base/fault.ts';

/** The mount point of the workspace, so that a file has the same name inside and outside. */
export const workspaceMount = '/workspace';

/** The mount point of the task's memory, which is not part of the workspace. */
export const memoryMount = '/memory';

export const maxPathBytes = 1024;
export const maxNameBytes = 255;
/** The deepest allowed path. This also limits how many descriptors a walk holds at once. */
export const maxPathDepth = 32;

/** Controls, line separators, lone surrogates, direction overrides (which disguise a name) and the backslash. */
const refusedCharacter = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\\]/u;
const driveLetter = /^[A-Za-z]:/;

/** What is wrong with the name of one file or folder, or null. */
export function nameProblem(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'is not a file name';
  if (refusedCharacter.test(name))
    return 'contains a character that no file name may have (backslash, control or direction character)';
  if (Buffer.byteLength(name) > maxNameBytes) return `has a name longer than ${maxNameBytes} bytes`;
  return null;
}

function refuse(path: string, problem: string): never {
  const shown = JSON.stringify(path.length > 80 ? `${path.slice(0, 80).toWellFormed()}…` : path);
  throw invalidField('path', `${shown} ${problem}. Give a path relative to the workspace, such as "notes/plan.md".`);
}

function isBelow(path: string, mount: string): boolean {
  return path === mount || path.startsWith(`${mount}/`);
}

function stripMount(path: string): string {
  if (!path.startsWith('/')) return path;
  if (!isBelow(path, workspaceMount)) refuse(path, 'is outside the workspace');
  return path.slice(workspaceMount.length);
}

/**
 * The segments from the workspace to a path; none for the workspace itself. `a/b`, `./a/b`, `a/x/../b` and `/workspace/a/b` are the same.
 * Pure: throws `invalid_argument` for anything that is not clearly inside.
 */
export function splitWorkspacePath(path: string): string[] {
  if (path.length > maxPathBytes || Buffer.byteLength(path) > maxPathBytes) refuse(path, `is longer than ${maxPathBytes} bytes`);
  if (driveLetter.test(path)) refuse(path, 'names a drive');
  const names: string[] = [];
  for (const name of stripMount(path).split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (names.pop() === undefined) refuse(path, 'leads out of the workspace');
      continue;
    }
    const problem = nameProblem(name);
    if (problem) refuse(path, problem);
    names.push(name);
  }
  if (names.length > maxPathDepth) refuse(path, `is more than ${maxPathDepth} folders deep`);
  return names;
}

/** The segments below the memory; none for the memory itself, null for a path that is elsewhere. */
export function splitMemoryPath(path: string): string[] | null {
  return isBelow(path, memoryMount) ? splitWorkspacePath(`.${path.slice(memoryMount.length)}`) : null;
}

/** The canonical spelling of a path for models and people: relative, `.` for the workspace itself; absolute only in the memory. */
export function normaliseWorkspacePath(path: string): string {
  const inMemory = splitMemoryPath(path);
  if (inMemory) return [memoryMount, ...inMemory].join('/');
  return splitWorkspacePath(path).join('/') || '.';
}
