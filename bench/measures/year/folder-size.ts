import { lstatSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { isId } from '@errand/base/ids.ts';

export interface FolderSize {
  /** Files and folders: what needs an inode. */
  entries: number;
  /** On disk. */
  bytes: number;
}

const bytesOfBlock = 512;

function list(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => ({
      place: path.join(entry.parentPath, entry.name),
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** What a data folder has of the workspaces of tasks: their folders, with the notes beside them, and these copies among the blobs. */
export function measureWorkspaces(dataDir: string, accountId: string, copies: ReadonlySet<string>): FolderSize {
  const folders = list(path.join(dataDir, 'workspaces')).filter(({ place }) => place.includes(`${accountId}${path.sep}`));
  const blobs = list(path.join(dataDir, 'blobs')).filter(({ name }) => copies.has(name));
  const all = [...folders, ...blobs];
  return {
    entries: all.length,
    bytes: all.reduce((sum, { place }) => sum + lstatSync(place).blocks * bytesOfBlock, 0),
  };
}

/** As if nothing had changed in any workspace since `at`. */
export function ageFolders(dataDir: string, at: Date): void {
  for (const { place, name, isFolder } of list(path.join(dataDir, 'workspaces'))) {
    if (isFolder && isId(name)) utimesSync(place, at, at);
  }
}
