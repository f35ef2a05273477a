import type { Fault } from '@errand/base/fault.ts';

/** What a trigger watches: the files directly in a folder below a root of the operator. */
export interface WatchedFolder {
  /** The operator's name for the root. */
  root: string;
  /** Path below the root, with `/` between names; '' for the root itself. */
  path: string;
  /** Pattern of file names, with `*` and `?`. */
  pattern: string;
}

/** Paths of the roots by the operator's names for them. */
export type WatchRoots = Readonly<Record<string, string>>;

/** What the path of a root has in place of the id of the account. */
const accountPlace = '{account}';

/** The longest path below a root, and the longest pattern. */
export const maxFolderPath = 500;
export const maxPattern = 100;

/** What the pointers of a trigger find about a file (docs/build/triggers.md#folders). */
export interface FileBody {
  /** Derived from name, size, and time of the file, so it changes only with the file. */
  id: string;
  name: string;
  /** Path of the file below the root, including its name. */
  path: string;
  root: string;
  size_bytes: number;
  /** ISO 8601. */
  modified_at: string;
}

/** The parts that a template can also name without a slash. */
export const fileFields: readonly (keyof FileBody)[] = ['name', 'path', 'size_bytes', 'modified_at', 'root'];

/** Where a file has the id that tells its states apart. */
export const fileIdPointer = '/id';

/** Where a root is for this account; null if the operator names no such root. */
export function findRoot(roots: WatchRoots, name: string, accountId: string): string | null {
  return Object.hasOwn(roots, name) ? (roots[name] ?? '').replaceAll(accountPlace, accountId) : null;
}

/** The folders to enter one after another from a root; null if the path is not plainly one below it. */
export function readSegments(path: string): string[] | null {
  if (path === '') return [];
  const segments = path.split('/');
  const isPlain = segments.every((name) => name !== '' && name !== '.' && name !== '..');
  return isPlain && path.length <= maxFolderPath && !/\p{Cc}/u.test(path) ? segments : null;
}

/** Whether a name is one of a pattern, in a time that grows only with the product of their lengths. Hidden files have to be asked for. */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let [at, place, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[place] === '*') {
      star = place++;
      resume = at;
    } else if (pattern[place] === '?' || pattern[place] === name[at]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      place = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[place] === '*') place += 1;
  return place === pattern.length;
}

/** Whether what keeps a file from starting its task may be over at another attempt, which is then made: nobody sends the file again. */
export function mayPassLater(fault: Fault): boolean {
  return fault.status >= 500 || fault.code === 'resource_exhausted';
}
