import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { Fault } from '@errand/base/fault.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { explainFileError, notAFile, systemErrorCode, tooLarge } from './file-fault.ts';
import { readBounded, readPieces } from './bounded-read.ts';
import { HeldFolder, type Addressing } from './held-folder.ts';
import { removeFolder } from './stale-folder.ts';
import { sandboxUser } from './sandbox-user.ts';
import type { Workspace, WorkspaceQuota } from './workspace.ts';
import { listFolder, temporaryPrefix } from './workspace-list.ts';
import { normaliseWorkspacePath, splitWorkspacePath } from './workspace-path.ts';

export type { Workspace, WorkspaceEntry, WorkspaceQuota } from './workspace.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** The largest file to read or write, unless the caller sets another limit. */
export const fileLimitBytes = 10 * 1024 * 1024;

export interface WorkspaceOptions {
  fileLimitBytes?: number;
  /** How folders are held; defaults to the best way of the system. */
  addressing?: Addressing;
  quota?: WorkspaceQuota;
}

/** Descends to a folder, holding one at a time. The caller disposes of the result. */
async function descend(root: HeldFolder, names: readonly string[], make: boolean): Promise<HeldFolder> {
  let folder = root;
  for (const name of names) {
    await using left = folder;
    folder = make ? await left.enterOrMake(name) : await left.enter(name);
  }
  return folder;
}

async function removeEntry(folder: HeldFolder, name: string): Promise<void> {
  if (!(await lstat(folder.at(name))).isDirectory()) return unlink(folder.at(name));
  await removeFolder(folder, name);
}

/** The permissions kept for a replaced file, so that an edited script stays executable. */
async function modeOf(path: string): Promise<number> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found.mode & 0o777 : 0o644;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 0o644;
    throw error;
  }
}

type Content = Uint8Array | AsyncIterable<Uint8Array>;

async function fill(path: string, mode: number, content: Content): Promise<void> {
  await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  await file.writeFile(content);
  await file.chmod(mode);
  if (sandboxUser) await file.chown(sandboxUser.uid, sandboxUser.gid);
  await file.sync();
}

/** Temporary file, fsync, rename, fsync of the folder: after a crash there is the old file or the new one, never a part. */
async function replaceFile(folder: HeldFolder, name: string, content: Content): Promise<void> {
  const temporary = folder.at(`${temporaryPrefix}${randomBase62(16)}`);
  await folder.confirm();
  try {
    await fill(temporary, await modeOf(folder.at(name)), content);
    await folder.confirm();
    await rename(temporary, folder.at(name));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await folder.sync();
}

async function* bounded(content: AsyncIterable<Uint8Array>, path: string, limitBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of content) {
    length += chunk.byteLength;
    if (length > limitBytes) throw tooLarge(path, null, limitBytes);
    yield chunk;
  }
}

/** Content that has room in the quota. */
async function* claimed(content: AsyncIterable<Uint8Array>, quota: WorkspaceQuota): AsyncGenerator<Uint8Array> {
  await quota.claim(0, 1);
  for await (const chunk of content) {
    await quota.claim(chunk.byteLength, 0);
    yield chunk;
  }
}

interface FolderAccess {
  enter(names: readonly string[], make: boolean): Promise<HeldFolder>;
  /** Runs `work` with the segments of a path; errors name the path as written. */
  explained<T>(path: string, work: (names: readonly string[]) => Promise<T>): Promise<T>;
  /** Calls `work` with the parent folder of the file at `path`, held open, and the file's name in it. */
  inFolder<T>(path: string, make: boolean, work: (folder: HeldFolder, name: string) => Promise<T>): Promise<T>;
  /** The file at `path`, open for reading; the caller closes it. */
  openFile(path: string): Promise<FileHandle>;
}

function createReading({ openFile }: FolderAccess, limit: number): Pick<Workspace, 'read' | 'stream' | 'readStart' | 'hold'> {
  return {
    async read(path, limitBytes = limit) {
      await using file = await openFile(path);
      return await readBounded(file, path, Math.min(limitBytes, limit));
    },

    async *stream(path, limitBytes) {
      await using file = await openFile(path);
      yield* readPieces(file, path, limitBytes);
    },

    async readStart(path, bytes) {
      await using file = await openFile(path);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.subarray(0, bytesRead);
    },

    async hold(path) {
      const file = await openFile(path);
      const { size } = await file.stat();
      return { descriptor: file.fd, bytes: size, [Symbol.asyncDispose]: () => file.close() };
    },
  };
}

function createWriting(
  { inFolder }: FolderAccess,
  limit: number,
  quota: WorkspaceQuota | undefined,
): Pick<Workspace, 'write' | 'receive' | 'remove'> {
  return {
    async receive(path, content, limitBytes) {
      const received = bounded(content, path, limitBytes);
      await inFolder(path, true, (folder, name) => replaceFile(folder, name, quota ? claimed(received, quota) : received));
    },

    async write(path, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      if (bytes.length > limit) throw tooLarge(normaliseWorkspacePath(path), bytes.length, limit);
      await quota?.claim(bytes.length, 1);
      await inFolder(path, true, (folder, name) => replaceFile(folder, name, bytes));
    },

    async remove(path) {
      try {
        await inFolder(path, false, removeEntry);
      } catch (error) {
        if (!(error instanceof Fault && error.code === 'not_found')) throw error;
      }
    },
  };
}

function openAccess(root: string, addressing: Addressing | undefined): FolderAccess {
  async function enter(names: readonly string[], make: boolean): Promise<HeldFolder> {
    const top = make ? await HeldFolder.holdOrMake(root, addressing) : await HeldFolder.hold(root, addressing);
    return descend(top, names, make);
  }

  async function explained<T>(path: string, work: (names: readonly string[]) => Promise<T>): Promise<T> {
    try {
      return await work(splitWorkspacePath(path));
    } catch (error) {
      throw explainFileError(error, path);
    }
  }

  function inFolder<T>(path: string, make: boolean, work: (folder: HeldFolder, name: string) => Promise<T>): Promise<T> {
    return explained(path, async (names) => {
      const name = names.at(-1);
      if (name === undefined) throw notAFile(path);
      await using folder = await enter(names.slice(0, -1), make);
      return await work(folder, name);
    });
  }

  function openFile(path: string): Promise<FileHandle> {
    return inFolder(path, false, async (folder, name) => {
      // Non-blocking, because opening a pipe made by tool code would otherwise wait forever.
      const file = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        await folder.confirm();
        if (!(await file.stat()).isFile()) throw notAFile(path);
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  return { enter, explained, inFolder, openFile };
}

/** The workspace in the folder `root` (absolute), which need not exist yet. Its parents are trusted, its content is not. */
export function openWorkspace(root: string, options: WorkspaceOptions = {}): Workspace {
  const limit = options.fileLimitBytes ?? fileLimitBytes;
  const folderAccess = openAccess(root, options.addressing);
  const { enter, explained } = folderAccess;

  return {
    root,
    ...createReading(folderAccess, limit),
    ...createWriting(folderAccess, limit, options.quota),
    ...(options.quota && { quota: options.quota }),

    list: (path, entryLimit, listOptions = {}) =>
      explained(path, async (names) => {
        try {
          await using folder = await enter(names, false);
          return await listFolder(folder, names, entryLimit, listOptions);
        } catch (error) {
          // Nothing was written yet.
          if (names.length === 0 && systemErrorCode(error) === 'ENOENT') return [];
          throw error;
        }
      }),
  };
}
