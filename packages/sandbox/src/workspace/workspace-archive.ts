import { constants } from 'node:fs';
import { type FileHandle, lchown, lstat, open, readlink, symlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress, constants as zlib } from 'node:zlib';
import { extract, pack, type Extract, type Pack } from 'tar-stream';
import { Fault } from '@errand/base/fault.ts';
import { systemErrorCode } from './file-fault.ts';
import { HeldFolder } from './held-folder.ts';
import { addLeftOut, type LeftOut, type LeftOutReason, readLeftOut, readName, writeLeftOut } from './left-out.ts';
import { boundTar, workspaceTooLarge } from './tar-bounds.ts';
import { sandboxUser } from './sandbox-user.ts';
import { temporaryPrefix } from './workspace-list.ts';
import { maxPathDepth, nameProblem } from './workspace-path.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

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
/** The last entry of an incomplete archive. Tool code has no files of this name: they count as half-written ones of the service. */
const leftOutName = `${temporaryPrefix}left-out.json`;
const maxLeftOutBytes = 1024 * 1024;

interface Packing {
  tar: Pack;
  bytesLeft: number;
  entriesLeft: number;
  leftOut: LeftOut;
}

/** Writes exactly `size` bytes of a file, as its header already says; false if the file has fewer by now. */
async function copyBytes(file: FileHandle, size: number, sink: ReturnType<Pack['entry']>): Promise<boolean> {
  let isWhole = true;
  for (let left = size; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(left, chunkBytes));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    isWhole &&= bytesRead === chunk.length;
    left -= chunk.length;
    if (!sink.write(chunk)) await new Promise<void>((resolve) => sink.once('drain', resolve));
  }
  return isWhole;
}

async function packFile(packing: Packing, folder: HeldFolder, name: string, path: string): Promise<LeftOutReason | null> {
  // The mode as tool code has set it: opening a locked file changes it for a moment.
  const { mode } = await lstat(folder.at(name));
  await using file = await folder.openFile(name);
  const found = await file.stat();
  if (!found.isFile()) return 'changed';
  const { size } = found;
  if (size > packing.bytesLeft) return 'too_large';
  packing.bytesLeft -= size;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // With the bits of the type, because a mode of zero would count as none; the archive has only the permissions.
  const header = { name: path, size, mode: constants.S_IFREG | (mode & 0o777) };
  const sink = packing.tar.entry(header, (error) => (error ? reject(error) : resolve()));
  const isWhole = await copyBytes(file, size, sink);
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
  const found = await lstat(folder.at(name));
  if (depth > maxPathDepth) return 'too_deep';
  if (packing.entriesLeft <= 0) return 'too_many';
  if (found.isFile()) {
    packing.entriesLeft -= 1;
    return packFile(packing, folder, name, path);
  }
  if (found.isSymbolicLink()) {
    packing.entriesLeft -= 1;
    packing.tar.entry({ name: path, type: 'symlink', linkname: await readlink(folder.at(name)) });
    return null;
  }
  if (!found.isDirectory()) return 'special';
  packing.entriesLeft -= 1;
  await using inner = await folder.enter(name);
  packing.tar.entry({ name: path, type: 'directory', mode: found.mode & 0o777 });
  await packFolder(packing, inner, `${path}/`, depth + 1);
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
    const moving = Promise.all([pipeline(Readable.from(tar), compress), walk().catch((error: Error) => tar.destroy(error))]);
    moving.catch(() => undefined);
    yield* compress as AsyncIterable<Uint8Array>;
    await moving;
  }
  return { content: content(), leftOut: () => leftOut };
}

/** Holds the parent folder of an entry. Each step refuses links, including those from the same archive. */
async function enterParents(root: string, names: readonly string[]): Promise<HeldFolder> {
  let folder = await HeldFolder.holdOrMake(root);
  for (const name of names) {
    await using left = folder;
    folder = await left.enterOrMake(name);
  }
  return folder;
}

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never;

async function unpackEntry(root: string, entry: Entry): Promise<void> {
  const { name: path, type, mode, linkname } = entry.header;
  const names = path.replace(/\/$/, '').split('/');
  const name = names.at(-1) ?? '';
  if (names.length > maxPathDepth || names.some((each: string) => nameProblem(each) !== null)) {
    throw new Fault('internal', 'The workspace cannot be restored.', {
      detail: `unsafe name in an archive: ${JSON.stringify(path)}`,
    });
  }
  await using folder = await enterParents(root, names.slice(0, -1));
  if (type === 'directory') await (await folder.enterOrMake(name))[Symbol.asyncDispose]();
  else if (type === 'symlink') {
    await symlink(linkname ?? '', folder.at(name));
    if (sandboxUser) await lchown(folder.at(name), sandboxUser.uid, sandboxUser.gid);
  } else if (type === 'file') {
    await using file = await open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    await file.writeFile(entry as AsyncIterable<Uint8Array>);
    await file.chmod(mode & 0o777);
    if (sandboxUser) await file.chown(sandboxUser.uid, sandboxUser.gid);
  }
}

/** Reads the list of an incomplete archive. */
async function readList(entry: Entry): Promise<LeftOut> {
  if ((entry.header.size ?? 0) > maxLeftOutBytes) return { count: 0, files: [] };
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return readLeftOut(Buffer.concat(chunks).toString('utf8'));
}

/**
 * Unpacks the output of `packWorkspace` into the new folder `root`; returns what had been left out.
 *
 * @param limits for content that somebody else may have made; more is refused
 */
export async function unpackWorkspace(
  root: string,
  content: AsyncIterable<Uint8Array>,
  limits: { bytes: number; entries: number } = { bytes: Number.MAX_SAFE_INTEGER, entries: Number.MAX_SAFE_INTEGER },
): Promise<LeftOut> {
  await (await HeldFolder.holdOrMake(root))[Symbol.asyncDispose]();
  let leftOut: LeftOut = { count: 0, files: [] };
  const tar = extract();
  const moving = pipeline(Readable.from(content), createZstdDecompress(), boundTar(limits), tar);
  moving.catch(() => undefined);
  let entries = 0;
  try {
    for await (const entry of tar) {
      if (entry.header.name === leftOutName) leftOut = await readList(entry);
      else if (++entries > limits.entries) throw workspaceTooLarge();
      else await unpackEntry(root, entry);
      entry.resume();
    }
  } catch (error) {
    // What ended the source says more than that it has ended.
    if (!(error instanceof Fault)) await moving;
    throw error;
  }
  await moving;
  return leftOut;
}
