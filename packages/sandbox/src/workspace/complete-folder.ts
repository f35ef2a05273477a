import { lstat, rename, utimes } from 'node:fs/promises';
import { systemErrorCode } from './file-fault.ts';

async function isThere(folder: string): Promise<boolean> {
  try {
    await lstat(folder);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

export interface FolderFilling {
  folder: string;
  /** The path beside the folder where it is filled. */
  part: string;
  /** Fills `part`, which does not exist. */
  fill(): Promise<unknown>;
  /** Removes `part`, because another process has been first. */
  discard(): Promise<void>;
  /** Milliseconds since the epoch, to note when the folder was used last. */
  nowMs: number;
}

/** Makes a folder appear completely or not at all; does nothing if it already exists. */
export async function completeFolder({ folder, part, fill, discard, nowMs }: FolderFilling): Promise<void> {
  if (!(await isThere(folder))) {
    await fill();
    try {
      await rename(part, folder);
    } catch (error) {
      await discard();
      if (!(await isThere(folder))) throw error;
    }
  }
  await utimes(folder, nowMs / 1000, nowMs / 1000);
}
