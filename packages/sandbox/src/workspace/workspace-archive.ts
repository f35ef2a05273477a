import { constants } from 'node:fs';
import { type FileHandle, lchown, lstat, open, readlink, symlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress, constants as zlib } from 'node:zlib';
import { extract, pack, type Extract, type Pack } from 'tar-stream';
import { Fault } from '@errand/base/fault.ts';
import { systemErrorCode } from './file-fault.ts';
import { HeldFolder } from './held-folder.ts';
import { sandboxUser } from './sandbox-user.ts';
import { temporaryPrefix } from './workspace-list.ts';
import { maxPathDepth, nameProblem } from './workspace-path.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** The limits of a workspace's copy; the rest of a larger one is omitted. */
export const workspaceArchiveLimits = { bytes: 1024 * 1024 * 1024, entries: 100_000 } as const;

const chunkBytes = 256 * 1024;
const maxFolderNames = 50_000;
/** Skips what disappears, is locked, or is replaced during the walk. */
const passing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EINVAL']);

interface Packing {
  tar: Pack;
  bytesLeft: number;
  entriesLeft: number;
  /** How many entries did not fit. */
  leftOut: number;
}

async function unlessPassing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!passing.has(systemErrorCode(error) ?? '')) throw error;
  }
}

/** Writes exactly `size` bytes of a file, whatever happens to it meanwhile: its header already has that size. */
async function copyBytes(file: FileHandle, size: number, sink: ReturnType<Pack['entry']>): Promise<void> {
  for (let left = size; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(left, chunkBytes));
    await file.read(chunk, 0, chunk.length, null);
    left -= chunk.length;
    if (!sink.write(chunk)) await new Promise<void>((resolve) => sink.once('drain', resolve));
  }
}

async function packFile(packing: Packing, folder: HeldFolder, name: string, path: string): Promise<void> {
  // Never through a link, and never blocking on a pipe.
  await using file = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const found = await file.stat();
  const { size, mode } = found;
  if (!found.isFile()) return;
  if (size > packing.bytesLeft) {
    packing.leftOut += 1;
    return;
  }
  packing.bytesLeft -= size;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sink = packing.tar.entry({ name: path, size, mode: mode & 0o777 }, (error) => (error ? reject(error) : resolve()));
  await copyBytes(file, size, sink);
  sink.end(undefined);
  await promise;
}

async function packEntry(packing: Packing, folder: HeldFolder, name: string, path: string, depth: number): Promise<void> {
  const found = await lstat(folder.at(name));
  if (packing.entriesLeft <= 0 || depth > maxPathDepth) {
    packing.leftOut += 1;
    return;
  }
  packing.entriesLeft -= 1;
  if (found.isFile()) return packFile(packing, folder, name, path);
  if (found.isSymbolicLink()) {
    packing.tar.entry({ name: path, type: 'symlink', linkname: await readlink(folder.at(name)) });
  } else if (found.isDirectory()) {
    await using inner = await folder.enter(name);
    packing.tar.entry({ name: path, type: 'directory', mode: found.mode & 0o777 });
    await packFolder(packing, inner, `${path}/`, depth + 1);
  }
}

async function packFolder(packing: Packing, folder: HeldFolder, prefix: string, depth: number): Promise<void> {
  const names = (await folder.entries(maxFolderNames)).map((entry) => entry.name.toString('utf8'));
  for (const name of names.sort()) {
    if (nameProblem(name) !== null || name.startsWith(temporaryPrefix)) continue;
    await unlessPassing(packEntry(packing, folder, name, prefix + name, depth));
  }
}

export interface WorkspaceArchive {
  content: AsyncIterable<Uint8Array>;
  /** How many entries did not fit; valid once the content has been read. */
  leftOut(): number;
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
  const packing: Packing = { tar, bytesLeft: limits.bytes, entriesLeft: limits.entries, leftOut: 0 };
  const walk = async () => {
    await using folder = await HeldFolder.hold(root);
    await packFolder(packing, folder, '', 1);
    tar.finalize();
  };
  async function* content(): AsyncGenerator<Uint8Array> {
    const compress = createZstdCompress({ params: { [zlib.ZSTD_c_compressionLevel]: 1 } });
    const moving = Promise.all([pipeline(Readable.from(tar), compress), walk().catch((error: Error) => tar.destroy(error))]);
    moving.catch(() => undefined);
    yield* compress as AsyncIterable<Uint8Array>;
    await moving;
  }
  return { content: content(), leftOut: () => packing.leftOut };
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

/** Unpacks the output of `packWorkspace` into the new folder `root`. */
export async function unpackWorkspace(root: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await (await HeldFolder.holdOrMake(root))[Symbol.asyncDispose]();
  const tar = extract();
  const moving = pipeline(Readable.from(content), createZstdDecompress(), tar);
  moving.catch(() => undefined);
  for await (const entry of tar) {
    await unpackEntry(root, entry);
    entry.resume();
  }
  await moving;
}
