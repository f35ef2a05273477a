import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@errand/base/fault.ts';

/** More bytes than fit into the last blocks of a full disk. */
const proofBytes = 64 * 1024;

/** Proves that a folder accepts new files. All processes of the folder share one file; one left by a crash is reused. */
export function createFolderProof(folder: string): () => Promise<void> {
  const file = join(folder, 'write-proof');
  return async () => {
    try {
      await using handle = await open(file, 'w', 0o600);
      await handle.writeFile(Buffer.alloc(proofBytes));
      await handle.sync();
    } catch (cause) {
      throw new Fault('unavailable', 'The data folder takes no files.', { retryAfterS: 1, cause });
    } finally {
      // Overwritten in place, it would prove nothing about a full disk.
      await rm(file, { force: true }).catch(() => undefined);
    }
  };
}
