import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartFault } from '@errand/base/start-fault.ts';

/** The maximum length of a unix socket's path in bytes, on the strictest systems. */
const longestName = 103;

/** Where the socket is created before it is moved to its final path. */
const makingName = '/.ctl-XXXXXX/s';

/** Whether the system supports a socket at this path. */
export function isSocketPathShort(path: string): boolean {
  return Math.max(Buffer.byteLength(path), Buffer.byteLength(dirname(path)) + makingName.length) <= longestName;
}

/**
 * Listens on a unix socket that only this user can open. It is created inside a private folder and moved after its mode is set, so nobody
 * else can connect at any moment. Replaces the socket of an earlier process.
 */
async function listenInOwnFolder(path: string, listen: (path: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(dirname(path), '.ctl-'));
  try {
    const made = join(folder, 's');
    await listen(made);
    await chmod(made, 0o600);
    await rename(made, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Listens on a Unix socket at a path. If that fails, the error says what to change. */
export async function listenOnControlSocket(path: string, listen: (path: string) => Promise<unknown>): Promise<void> {
  try {
    await listenInOwnFolder(path, listen);
  } catch (error) {
    throw new StartFault(`ERRAND_DATA_DIR: cannot listen on ${path}: ${(error as Error).message}`, error);
  }
}

export async function removeControlSocket(path: string): Promise<void> {
  await rm(path, { force: true });
}
