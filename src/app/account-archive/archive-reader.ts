import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { Fault } from '@errand/base/fault.ts';
import { type ArchiveFile, type ArchiveManifest, readArchiveManifest } from '../../store/account-archive/archive-manifest.ts';
import { refuseArchive } from '../../store/account-archive/archive-refusal.ts';
import { listZip } from '../../tools/files/archives/zip-entries.ts';
import { archiveNames, readEntryName } from './archive-names.ts';

/** More files than an account can have. */
const maxEntries = 1_000_000;
/** Enough for one manifest line for each of them. */
const maxManifestBytes = 256 * 1024 * 1024;

type Entry = ReturnType<typeof listZip> extends AsyncGenerator<infer Item> ? Item : never;

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw refuseFile(file, (error as NodeJS.ErrnoException).code ?? 'error', error);
  }
  throw refuseFile(file, 'it is not a file');
}

function refuseFile(file: string, problem: string, cause?: unknown): Fault {
  return new Fault('invalid_argument', `file: ${file} cannot be read (${problem}).`, { param: 'file', cause });
}

/** The entries by name; refuses an archive with entries that no export writes. */
async function listEntries({ fd }: FileHandle, archiveBytes: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of listZip(fd, maxEntries)) {
      const { name, kind, declaredBytes } = entry;
      if (kind !== 'file' || !readEntryName(name))
        throw refuseArchive(`it has an unknown entry ${JSON.stringify(name.slice(0, 80))}`);
      if (entries.has(name)) throw refuseArchive(`it has ${name} twice`);
      bytes += declaredBytes;
      entries.set(name, entry);
    }
  } catch (error) {
    throw error instanceof Fault && error.param === undefined ? refuseArchive('it is damaged, or no zip file', error) : error;
  }
  // Exports are not compressed: this would unpack to more than errand has written.
  if (bytes > archiveBytes) throw refuseArchive('it is compressed; import the file as it was exported');
  return entries;
}

/** The archive of an account. Its entries are checked against its manifest. */
export class ArchiveReader implements AsyncDisposable {
  readonly manifest: ArchiveManifest;
  readonly #handle: FileHandle;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(handle: FileHandle, entries: ReadonlyMap<string, Entry>, manifest: ArchiveManifest) {
    this.#handle = handle;
    this.#entries = entries;
    this.manifest = manifest;
  }

  /** Throws 400 for anything that `schema`, the newest migration of this program, cannot import. */
  static async open(file: string, schema: number): Promise<ArchiveReader> {
    const handle = await openFile(file);
    try {
      const entries = await listEntries(handle, (await handle.stat()).size);
      const found = entries.get(archiveNames.manifest);
      if (!found || found.declaredBytes > maxManifestBytes) throw refuseArchive('it is not the export of an account');
      const manifest = readArchiveManifest(await text(Readable.from(found.open())), schema);
      checkListed(manifest, entries);
      return new ArchiveReader(handle, entries, manifest);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The bytes of an entry; reading them ends with 400 if they are not what the manifest says. */
  async *read({ name, bytes, sha256 }: ArchiveFile): AsyncGenerator<Uint8Array> {
    const digest = createHash('sha256');
    let length = 0;
    const entry = this.#entries.get(name);
    for await (const piece of entry?.open() ?? []) {
      length += piece.byteLength;
      digest.update(piece);
      yield piece;
    }
    if (length !== bytes || digest.digest('hex') !== sha256) throw refuseArchive(`${name} has a wrong checksum`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

function checkListed({ files, tables, workspaces }: ArchiveManifest, entries: ReadonlyMap<string, Entry>): void {
  const listed = new Set(files.map(({ name }) => name));
  const isWhole = files.every(({ name, bytes }) => name !== archiveNames.manifest && entries.get(name)?.declaredBytes === bytes);
  if (!isWhole || listed.size !== files.length || listed.size !== entries.size - 1) {
    throw refuseArchive('its entries are not those that its manifest lists');
  }
  const named = new Set([
    ...tables.map(({ table }) => archiveNames.table(table)),
    ...workspaces.map(({ task_id }) => archiveNames.workspace(task_id)),
  ]);
  const isKnown = (name: string) => readEntryName(name)?.kind === 'blob' || named.has(name);
  if (![...named].every((name) => listed.has(name)) || !files.every(({ name }) => isKnown(name))) {
    throw refuseArchive('its manifest contradicts itself');
  }
}
