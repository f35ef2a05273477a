import { lstat, rename, rmdir } from 'node:fs/promises';
import { systemErrorCode } from './file-fault.ts';
import { emptyFolder } from './folder-removal.ts';
import type { HeldFolder } from './held-folder.ts';

/** Suffix of a folder that is being removed; no id of a task contains a period. */
export const asideEnding = '.stale';

/** Removes a folder with its content, whatever tool code did to it. */
export async function removeFolder(parent: HeldFolder, name: string): Promise<void> {
  await parent.unlock(name);
  {
    await using folder = await parent.enter(name);
    await emptyFolder(folder);
  }
  await rmdir(parent.at(name));
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Removes what a process that ended meanwhile has left of a removal. */
export async function removeAside(parent: HeldFolder, name: string): Promise<void> {
  if (await exists(parent.at(name + asideEnding))) await removeFolder(parent, name + asideEnding);
}

/**
 * Removes a folder that nothing has entered anything in since `beforeMs`; false if there is none. One that is created in its place
 * meanwhile, by a worker that restores a copy, stays.
 */
export async function removeStaleFolder(parent: HeldFolder, name: string, beforeMs: number): Promise<boolean> {
  await removeAside(parent, name);
  if (!(await exists(parent.at(name)))) return false;
  const found = await lstat(parent.at(name));
  if (!found.isDirectory() || found.mtimeMs >= beforeMs) return false;
  const aside = name + asideEnding;
  await rename(parent.at(name), parent.at(aside));
  const moved = await lstat(parent.at(aside));
  if (moved.ino !== found.ino || moved.mtimeMs !== found.mtimeMs) {
    await rename(parent.at(aside), parent.at(name));
    return false;
  }
  await removeFolder(parent, aside);
  return true;
}
