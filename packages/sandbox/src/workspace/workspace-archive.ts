import { constants } from 'node:fs';
import { type FileHandle, lstat, readlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, constants as zlib } from 'node:zlib';
import { type Header, pack, type Pack } from 'tar-stream';
import { writeChangeTime } from './change-time.ts';
import { systemErrorCode } from './file-fault.ts';
import { HeldFolder } from './held-folder.ts';
import { addLeftOut, leftOutName, type LeftOut, type LeftOutReason, readName, writeLeftOut } from './left-out.ts';
import { temporaryPrefix } from './workspace-list.ts';
import { maxPathDepth, nameProblem } from './workspace-path.ts';

/** The limits of a workspace's copy; the rest of a larger one is omitted. */
export const workspaceArchiveLimits = { bytes: 1024 * 1024 * 1024, entries: 100_000 } as const;

const chunkBytes = 256 * 1024;
/** More names in one folder are left out. */
const maxFolderNames = 250_000;
/** What an entry is called in the list of what is left out, by the error of reading it. */
const reasons: Record<string, LeftOutReason> = {
  ENOENT: 'vanished',
  ENOTDIR: 'changed',
  ELOOP: 'changed',
  EINVAL: 'changed',
  EACCES: 'unreadable',
  EPERM: 'unreadable',
  ENXIO: 'special',
};
/** The permissions that its owner needs to list a folder. */
const listBits = 0o500;

interface Packing {
  tar: Pack;
  bytesLeft: number;
  entriesLeft: number;
  leftOut: LeftOut;
}

/**
 * Writes exactly `size` bytes of a file, as its header already says; false if the file has fewer by now. Fails with `ended`, the end of the
 * entry, if nobody reads the archive any more.
 */
async function copyBytes(
  file: FileHandle,
  size: number,
  sink: ReturnType<Pack['entry']>,
  ended: Promise<void>,
): Promise<boolean> {
  let isWhole = true;
  for (let left = size; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(left, chunkBytes));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    isWhole &&= bytesRead === chunk.length;
    left -= chunk.length;
    if (!sink.write(chunk)) await Promise.race([new Promise<void>((resolve) => sink.once('drain', resolve)), ended]);
  }
  return isWhole;
}

async function packFile(packing: Packing, folder: HeldFolder, name: string, path: string): Promise<LeftOutReason | null> {
  // The mode as tool code has set it: opening a locked file changes it for a moment.
  const { mode, mtimeNs } = await lstat(folder.at(name), { bigint: true });
  await using file = await folder.openFile(name);
  const found = await file.stat();
  if (!found.isFile()) return 'changed';
  const { size } = found;
  if (size > packing.bytesLeft) return 'too_large';
  packing.bytesLeft -= size;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // With the bits of the type, because a mode of zero would count as none; the archive has only the permissions.
  const header = { name: path, size, mode: constants.S_IFREG | (Number(mode) & 0o777), ...writeChangeTime(mtimeNs) };
  const sink = packing.tar.entry(header, (error) => (error ? reject(error) : resolve()));
  // Both say that nobody reads on.
  promise.catch(() => undefined);
  sink.on('error', () => undefined);
  const isWhole = await copyBytes(file, size, sink, promise);
  sink.end(undefined);
  await promise;
  return isWhole ? null : 'changed';
}

async function packFolder(packing: Packing, folder: HeldFolder, prefix: string, depth: number): Promise<void> {
  const entries = await folder.entries(maxFolderNames);
  if (entries.length === maxFolderNames) addLeftOut(packing.leftOut, prefix || '.', 'too_many');
  const names = entries.map(readName).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, isExact } of names) {
    if (name.startsWith(temporaryPrefix)) continue;
    const path = prefix + name;
    const isUsable = isExact && nameProblem(name) === null;
    const reason = isUsable ? await tryEntry(packing, folder, name, path, depth) : 'unusable_name';
    if (reason !== null) addLeftOut(packing.leftOut, path, reason);
  }
}

/** Packs one entry, or says why that is impossible. */
async function packEntry(
  packing: Packing,
  folder: HeldFolder,
  name: string,
  path: string,
  depth: number,
): Promise<LeftOutReason | null> {
  const found = await lstat(folder.at(name), { bigint: true });
  if (depth > maxPathDepth) return 'too_deep';
  if (packing.entriesLeft <= 0) return 'too_many';
  if (found.isFile()) {
    packing.entriesLeft -= 1;
    return packFile(packing, folder, name, path);
  }
  if (found.isSymbolicLink()) {
    return packLink(packing, await readlink(folder.at(name), 'buffer'), { name: path, ...writeChangeTime(found.mtimeNs) });
  }
  if (!found.isDirectory()) return 'special';
  packing.entriesLeft -= 1;
  await using inner = await folder.enter(name);
  const mode = Number(found.mode) & 0o777;
  try {
    // With the bits of the type, like a file.
    const header = { name: path, mode: constants.S_IFDIR | mode, ...writeChangeTime(found.mtimeNs) };
    packing.tar.entry({ ...header, type: 'directory' });
    await packFolder(packing, inner, `${path}/`, depth + 1);
  } finally {
    // Entering has unlocked it.
    if ((mode & listBits) !== listBits) await inner.setFacts(mode, null).catch(() => undefined);
  }
  return null;
}

/** A link as it is; its target need not be text, but the archive can only have text. */
function packLink(packing: Packing, target: Buffer, header: Pick<Header, 'name' | 'mtime' | 'pax'>): LeftOutReason | null {
  const linkname = target.toString('utf8');
  if (!Buffer.from(linkname).equals(target)) return 'unusable_name';
  packing.entriesLeft -= 1;
  packing.tar.entry({ ...header, type: 'symlink', linkname });
  return null;
}

async function tryEntry(...args: Parameters<typeof packEntry>): Promise<LeftOutReason | null> {
  try {
    return await packEntry(...args);
  } catch (error) {
    const reason = reasons[systemErrorCode(error) ?? ''];
    if (reason === undefined) throw error;
    return reason;
  }
}

export interface WorkspaceArchive {
  content: AsyncIterable<Uint8Array>;
  /** What is not in it; complete once the content has been read. The archive names it too. */
  leftOut(): LeftOut;
}

/**
 * The folder `root` as one stream (tar, zstd): files, folders, and links as links. No content is followed or trusted. No tool may be
 * running in it.
 */
export function packWorkspace(
  root: string,
  limits: { bytes: number; entries: number } = workspaceArchiveLimits,
): WorkspaceArchive {
  const tar = pack();
  // What ends it is seen by who reads it.
  tar.on('error', () => undefined);
  const leftOut: LeftOut = { count: 0, files: [] };
  const packing: Packing = { tar, bytesLeft: limits.bytes, entriesLeft: limits.entries, leftOut };
  const walk = async () => {
    await using folder = await HeldFolder.hold(root);
    await packFolder(packing, folder, '', 1);
    if (leftOut.count > 0) tar.entry({ name: leftOutName }, writeLeftOut(leftOut));
    tar.finalize();
  };
  async function* content(): AsyncGenerator<Uint8Array> {
    const compress = createZstdCompress({ params: { [zlib.ZSTD_c_compressionLevel]: 1 } });
    const walking = walk().catch((error: Error) => tar.destroy(error));
    const moving = Promise.all([pipeline(Readable.from(tar), compress), walking]);
    moving.catch(() => undefined);
    try {
      yield* compress as AsyncIterable<Uint8Array>;
      await moving;
    } finally {
      // Also if nobody reads on: nothing of the folder is open then.
      await walking;
    }
  }
  return { content: content(), leftOut: () => leftOut };
}
