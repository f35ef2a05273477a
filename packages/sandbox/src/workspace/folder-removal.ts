import { rename, rmdir, unlink } from 'node:fs/promises';
import { randomBase62 } from '@errand/base/ids.ts';
import { systemErrorCode } from './file-fault.ts';
import type { HeldFolder } from './held-folder.ts';

/** How many entries are read at a time. */
const batchSize = 1000;

/** Removes a file, or a link without its target; false if the entry is a folder. */
async function unlinkUnlessFolder(path: Buffer): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return true;
    // Linux says EISDIR, POSIX says EPERM.
    if (code === 'EISDIR' || code === 'EPERM') return false;
    throw error;
  }
}

/** Renames a folder to a name of ours (its own may not be valid UTF-8) and makes it accessible. */
async function tame(folder: HeldFolder, path: Buffer): Promise<string> {
  const name = randomBase62(22);
  await rename(path, folder.at(name));
  await folder.unlock(name);
  return name;
}

/** Removes the files of a folder and moves its folders up to `top`. */
async function clear(folder: HeldFolder, top: HeldFolder): Promise<void> {
  for (let batch = await folder.entries(batchSize); batch.length > 0; batch = await folder.entries(batchSize)) {
    for (const entry of batch) {
      const path = folder.atBytes(entry.name);
      if (await unlinkUnlessFolder(path)) continue;
      const name = await tame(folder, path);
      await rename(folder.at(name), top.at(name));
    }
  }
}

/**
 * Empties a folder whose content was created by tool code. Every folder found is first moved to the top, so that neither depth (10,000
 * levels are one loop for tool code) nor a name, a mode or a link can stop the removal or redirect it. May be interrupted at any point and
 * rerun.
 */
export async function emptyFolder(top: HeldFolder): Promise<void> {
  for (let batch = await top.entries(batchSize); batch.length > 0; batch = await top.entries(batchSize)) {
    for (const entry of batch) {
      const path = top.atBytes(entry.name);
      if (await unlinkUnlessFolder(path)) continue;
      const name = await tame(top, path);
      {
        await using inner = await top.enter(name);
        await clear(inner, top);
      }
      await rmdir(top.at(name));
    }
  }
}
