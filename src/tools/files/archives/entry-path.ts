import { Fault } from '@errand/base/fault.ts';
import { splitWorkspacePath } from '@errand/sandbox/workspace-path';
import type { ArchiveEntry } from './archive-entry.ts';

/** Why an entry is skipped. */
export type EntryRefusal = string;

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The path segments of an entry, or why it is not allowed: anything that could leave the folder, here or on other systems. */
function readNames(name: string): string[] | EntryRefusal {
  if (name.includes('\0')) return 'its name has a NUL character';
  if (name.startsWith('/') || name.startsWith('\\')) return 'its path is absolute';
  if (name.split(/[/\\]/).includes('..')) return 'its path leads upwards';
  const names = (() => {
    try {
      return splitWorkspacePath(name.replace(/\/+$/, ''));
    } catch (error) {
      if (error instanceof Fault) return null;
      throw error;
    }
  })();
  if (names === null) return 'its path is no path of a workspace';
  if (names.length === 0) return 'it has no name';
  return names.some((part) => reserved.test(part) || /[. ]$/.test(part)) ? 'its name means a device on other systems' : names;
}

/**
 * Decides the destination of one entry after another. Two entries that differ only in case or accents would be one file on other systems;
 * the first wins. A file never replaces a folder, or a folder a file.
 */
export function createEntryCheck() {
  const files = new Set<string>();
  const folders = new Set<string>();
  const keyOf = (names: readonly string[]) => names.join('/').normalize('NFC').toLowerCase();

  return function check({ name, kind }: ArchiveEntry): { names: string[] } | { refusal: EntryRefusal } {
    if (kind === 'link') return { refusal: 'it is a link' };
    if (kind === 'special') return { refusal: 'it is no file' };
    if (kind === 'locked') return { refusal: 'it is encrypted' };
    const names = readNames(name);
    if (typeof names === 'string') return { refusal: names };
    const parents = names.slice(0, -1).map((_, index) => keyOf(names.slice(0, index + 1)));
    const key = keyOf(names);
    if (kind === 'folder') {
      if (files.has(key)) return { refusal: 'a file has its name' };
      return { names };
    }
    if (files.has(key)) return { refusal: 'an entry before it has the same name, but for case or accents' };
    if (folders.has(key) || parents.some((parent) => files.has(parent))) return { refusal: 'a file and a folder have one name' };
    files.add(key);
    for (const parent of parents) folders.add(parent);
    return { names };
  };
}
