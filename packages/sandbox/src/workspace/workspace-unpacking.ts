import { constants } from 'node:fs';
import { type FileHandle, lchown, lutimes, open, symlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { extract, type Extract } from 'tar-stream';
import { Fault } from '@errand/base/fault.ts';
import { readChangeTime } from './change-time.ts';
import { FileSyncs } from './file-syncs.ts';
import { HeldFolder } from './held-folder.ts';
import { leftOutName, type LeftOut, readLeftOut } from './left-out.ts';
import { boundTar, workspaceTooLarge } from './tar-bounds.ts';
import { sandboxUser } from './sandbox-user.ts';
import { maxPathDepth, nameProblem } from './workspace-path.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

const maxLeftOutBytes = 1024 * 1024;
/** Zeros of this length become a hole of the file, so a sparse file takes no more space than before. */
const holeBytes = 64 * 1024;
const zeros = Buffer.alloc(holeBytes);

/** Limits of content that somebody else may have made. */
export interface UnpackLimits {
  bytes: number;
  entries: number;
}

/** A folder of an archive, which gets its permissions and time after its content. */
interface UnpackedFolder {
  names: readonly string[];
  mode: number;
  changedAt: number | null;
}

/** What is in progress while an archive is unpacked. */
interface Unpacking {
  root: string;
  folders: UnpackedFolder[];
  /** Null if the content need not outlive a crash of the machine. */
  syncs: FileSyncs | null;
}

export interface UnpackOptions {
  limits?: UnpackLimits;
  isDurable?: boolean;
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

async function writeAll(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.byteLength; ) {
    done += (await file.write(piece, done, piece.byteLength - done, position + done)).bytesWritten;
  }
}

/** Writes the content of a file; long runs of zeros are left out of it. */
async function fillFile(file: FileHandle, entry: Entry): Promise<void> {
  let position = 0;
  for await (const chunk of entry as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < chunk.byteLength; at += holeBytes) {
      const piece = chunk.subarray(at, at + holeBytes);
      if (!zeros.subarray(0, piece.byteLength).equals(piece)) await writeAll(file, piece, position);
      position += piece.byteLength;
    }
  }
  await file.truncate(position);
}

async function unpackFile(folder: HeldFolder, name: string, entry: Entry, syncs: FileSyncs | null): Promise<void> {
  const changedAt = readChangeTime(entry.header);
  const file = await open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await fillFile(file, entry);
    if (sandboxUser) await file.chown(sandboxUser.uid, sandboxUser.gid);
    await file.chmod((entry.header.mode ?? 0) & 0o777);
    if (changedAt !== null) await file.utimes(changedAt, changedAt);
  } catch (error) {
    await file.close();
    throw error;
  }
  await (syncs ? syncs.add(file) : file.close());
}

async function unpackLink(folder: HeldFolder, name: string, { header }: Entry): Promise<void> {
  const changedAt = readChangeTime(header);
  await symlink(header.linkname ?? '', folder.at(name));
  if (sandboxUser) await lchown(folder.at(name), sandboxUser.uid, sandboxUser.gid);
  if (changedAt !== null) await lutimes(folder.at(name), changedAt, changedAt);
}

async function unpackEntry({ root, folders, syncs }: Unpacking, entry: Entry): Promise<void> {
  const { name: path, type, mode } = entry.header;
  const names = path.replace(/\/$/, '').split('/');
  const name = names.at(-1) ?? '';
  if (names.length > maxPathDepth || names.some((each: string) => nameProblem(each) !== null)) {
    throw new Fault('internal', 'The workspace cannot be restored.', {
      detail: `unsafe name in an archive: ${JSON.stringify(path)}`,
    });
  }
  await using folder = await enterParents(root, names.slice(0, -1));
  if (type === 'directory') {
    await (await folder.enterOrMake(name))[Symbol.asyncDispose]();
    folders.push({ names, mode: mode ?? 0o755, changedAt: readChangeTime(entry.header) });
  } else if (type === 'symlink') await unpackLink(folder, name, entry);
  else if (type === 'file') await unpackFile(folder, name, entry, syncs);
}

/** The last first: what a folder contains comes after it, and may be out of reach once it is locked. */
async function finishFolders({ root, folders, syncs }: Unpacking): Promise<void> {
  for (const { names, mode, changedAt } of folders.toReversed()) {
    await using folder = await enterParents(root, names);
    await folder.setFacts(mode, changedAt);
    // With the links in it, which cannot be flushed themselves.
    if (syncs) await folder.sync();
  }
}

/** Reads the list of an incomplete archive. */
async function readList(entry: Entry): Promise<LeftOut> {
  if ((entry.header.size ?? 0) > maxLeftOutBytes) return { count: 0, files: [] };
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return readLeftOut(Buffer.concat(chunks).toString('utf8'));
}

async function readEntries(unpacking: Unpacking, tar: Extract, limits: UnpackLimits): Promise<LeftOut> {
  let leftOut: LeftOut = { count: 0, files: [] };
  let entries = 0;
  for await (const entry of tar) {
    if (entry.header.name === leftOutName) leftOut = await readList(entry);
    else if (++entries > limits.entries) throw workspaceTooLarge();
    else await unpackEntry(unpacking, entry);
    entry.resume();
  }
  return leftOut;
}

/**
 * Unpacks the output of `packWorkspace` into the new folder `root`; returns what had been left out.
 *
 * @param limits for content that somebody else may have made; more is refused
 * @param isDurable whether the folder has to outlive a crash of the machine as soon as this resolves
 */
export async function unpackWorkspace(
  root: string,
  content: AsyncIterable<Uint8Array>,
  { limits = { bytes: Number.MAX_SAFE_INTEGER, entries: Number.MAX_SAFE_INTEGER }, isDurable = false }: UnpackOptions = {},
): Promise<LeftOut> {
  await using top = await HeldFolder.holdOrMake(root);
  const unpacking: Unpacking = { root, folders: [], syncs: isDurable ? new FileSyncs() : null };
  const tar = extract();
  const moving = pipeline(Readable.from(content), createZstdDecompress(), boundTar(limits), tar);
  moving.catch(() => undefined);
  let leftOut: LeftOut;
  try {
    leftOut = await readEntries(unpacking, tar, limits);
  } catch (error) {
    await unpacking.syncs?.settle().catch(() => undefined);
    // What ended the source says more than that it has ended.
    if (!(error instanceof Fault)) await moving;
    throw error;
  }
  await moving;
  await unpacking.syncs?.settle();
  await finishFolders(unpacking);
  if (isDurable) await top.sync();
  return leftOut;
}
