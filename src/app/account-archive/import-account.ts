import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { isId, randomBase62 } from '@errand/base/ids.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { isEmailAddress } from '@errand/base/text/email-address.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { unpackWorkspace, workspaceArchiveLimits } from '@errand/sandbox/workspace-archive';
import type { Workspaces } from '@errand/sandbox/workspaces';
import { createToken } from '../../api/triggers/trigger-verification.ts';
import type { ImportRequest } from '../../api/contract/account-archives.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import type { ArchiveFile, ArchiveManifest } from '../../store/account-archive/archive-manifest.ts';
import { refuseArchive } from '../../store/account-archive/archive-refusal.ts';
import { loadColumns } from '../../store/account-archive/column-kinds.ts';
import { beginImport, dropImportedBlobs, importRows, type ImportTable } from '../../store/account-archive/import-rows.ts';
import { expectBlob } from '../../store/blobs/blob-references.ts';
import type { BlobStore } from '../../store/blobs/blob-store.ts';
import { recordBlob } from '../../store/blobs/storage-use.ts';
import type { Database } from '../../store/db/database.ts';
import { archiveNames, readEntryName } from './archive-names.ts';
import { ArchiveReader } from './archive-reader.ts';

/** How long files wait for the rows that refer to them. */
const graceMs = 24 * 60 * 60_000;
/** Records removed in one transaction. */
const chunk = 500;

export interface ImportParts {
  database: Database;
  blobStore: BlobStore;
  workspaces: Workspaces;
  /** Seals new URLs of triggers; null if this process lacks the secret of the instance. */
  box: Pick<SealedBox, 'seal'> | null;
  clock: Clock;
  /** Folder for tables that are being read. */
  folder: string;
}

interface StoredTrigger {
  id: string;
  verification: string;
  /** Missing before there were addresses for mail. */
  type?: string;
}

/** Nobody knows the secrets of the triggers here, so each gets new ones, which their owner looks up or replaces. */
function renewTrigger(line: string, box: Pick<SealedBox, 'seal'>): string {
  const trigger = JSON.parse(line) as StoredTrigger;
  const { id, verification, type } = trigger;
  const [token, secret] = [createToken(type === 'email' ? 'email' : 'http'), randomBase62(43)];
  return JSON.stringify({
    ...trigger,
    token: box.seal(token, sealedPlaces.trigger(id, 'token')),
    token_digest: digestSecret(token),
    secret: verification === 'none' ? null : box.seal(secret, sealedPlaces.trigger(id, 'secret')),
  });
}

/** Both databases say so in their own words if two rows have one key. */
function explain(error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'internal' || !/unique/i.test(error.detail ?? '')) return error;
  return refuseArchive('a row is in it twice, or this instance has one of its ids already', error);
}

/** The import of one archive; what it has stored is removed unless it is finished. */
class AccountImport {
  readonly #parts: ImportParts;
  readonly #reader: ArchiveReader;
  readonly #request: ImportRequest;
  readonly #folder: string;
  readonly #accountId: string;
  readonly #blobIds: string[] = [];
  readonly #taskIds: string[] = [];

  constructor(parts: ImportParts, reader: ArchiveReader, request: ImportRequest, folder: string) {
    this.#parts = parts;
    this.#reader = reader;
    this.#request = request;
    this.#folder = folder;
    this.#accountId = reader.manifest.account.id;
  }

  async run(): Promise<void> {
    const { database, clock } = this.#parts;
    const { manifest } = this.#reader;
    const accountId = this.#accountId;
    const email = this.#request.email ?? manifest.account.email;
    if (!isId(accountId) || !isEmailAddress(email) || email !== email.toLowerCase())
      throw refuseArchive('id or address of the account are none');
    await database.run(beginImport, { accountId, email });
    const { columns } = await loadColumns();
    const tables: ImportTable[] = [];
    try {
      for (const { table, rows } of manifest.tables) tables.push({ table, rows, file: await this.#unpackTable(table) });
      await this.#renewTriggers(tables);
      for (const file of manifest.files) await this.#storeFile(file);
      const { actor } = this.#request;
      await database.run(importRows, { accountId, email, tables, columns, actor, now: clock.now() });
    } catch (error) {
      await this.#undo().catch(() => undefined);
      throw explain(error);
    }
  }

  /** The rows lie outside the archive while they are stored: what was checked cannot change any more. */
  async #unpackTable(table: string): Promise<string> {
    const file = join(this.#folder, `${table}.jsonl`);
    const listed = this.#reader.manifest.files.find(({ name }) => name === archiveNames.table(table));
    if (!listed) throw refuseArchive(`${table} is missing`);
    this.#checkSignal();
    await writeFile(file, Readable.from(this.#reader.read(listed)), { mode: 0o600, flag: 'wx' });
    return file;
  }

  #checkSignal(): void {
    if (this.#request.signal.aborted) throw new Fault('unavailable', 'The import was interrupted; nothing was stored.');
  }

  async #renewTriggers(tables: readonly ImportTable[]): Promise<void> {
    const { box } = this.#parts;
    const triggers = tables.find(({ table }) => table === 'triggers');
    if (!triggers || triggers.rows === 0) return;
    if (!box) throw new Fault('failed_precondition', 'This process lacks ERRAND_SECRET.');
    const lines = (await readFile(triggers.file, 'utf8')).split('\n').filter((line) => line !== '');
    try {
      await writeFile(triggers.file, lines.map((line) => `${renewTrigger(line, box)}\n`).join(''));
    } catch (error) {
      throw error instanceof SyntaxError || error instanceof TypeError ? refuseArchive('a row is damaged', error) : error;
    }
  }

  async #storeFile(file: ArchiveFile): Promise<void> {
    this.#checkSignal();
    const entry = readEntryName(file.name);
    if (entry?.kind === 'blob') await this.#storeBlob(entry.id, file);
    if (entry?.kind === 'workspace') await this.#storeWorkspace(entry.id, file);
  }

  async #storeBlob(blobId: string, file: ArchiveFile): Promise<void> {
    const { database, blobStore } = this.#parts;
    const accountId = this.#accountId;
    await database.run(expectBlob, { accountId, blobId, graceMs });
    this.#blobIds.push(blobId);
    const { bytes } = await blobStore.put(accountId, blobId, this.#reader.read(file), file.bytes);
    await database.run(recordBlob, { accountId, blobId, bytes, limit: null });
  }

  async #storeWorkspace(taskId: string, file: ArchiveFile): Promise<void> {
    const { workspaces } = this.#parts;
    const accountId = this.#accountId;
    const { generation = 0 } = this.#reader.manifest.workspaces.find(({ task_id }) => task_id === taskId) ?? {};
    await workspaces.remove(accountId, taskId);
    this.#taskIds.push(taskId);
    const { root } = workspaces.open(accountId, taskId);
    const leftOut = await unpackWorkspace(root, this.#reader.read(file), workspaceArchiveLimits);
    if (leftOut.count > 0) await workspaces.setLeftOut(accountId, taskId, leftOut);
    if (generation > 0) await workspaces.setGeneration(accountId, taskId, generation);
  }

  /** What remains if this fails is swept a day later, with its records. */
  async #undo(): Promise<void> {
    const { database, blobStore, workspaces } = this.#parts;
    const accountId = this.#accountId;
    for (const taskId of this.#taskIds) await workspaces.remove(accountId, taskId).catch(() => undefined);
    for (const blobId of this.#blobIds) await blobStore.remove(accountId, blobId);
    for (let at = 0; at < Math.max(1, this.#blobIds.length); at += chunk) {
      await database.run(dropImportedBlobs, { accountId, blobIds: this.#blobIds.slice(at, at + chunk) });
    }
  }
}

/** Removes what imports left here that were killed: an import takes less than a day. */
async function removeLeftovers(folder: string, clock: Clock): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < clock.now() - graceMs) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Stores an account from its archive. First its files, which nobody sees, then all rows in one transaction: a failure leaves nothing of it.
 */
export async function importAccount(parts: ImportParts, request: ImportRequest): Promise<ArchiveManifest> {
  const { schema } = await loadColumns();
  await using reader = await ArchiveReader.open(request.file, schema);
  await mkdir(parts.folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(parts.folder, parts.clock);
  const folder = await mkdtemp(join(parts.folder, 'import-'));
  try {
    await new AccountImport(parts, reader, request, folder).run();
    return reader.manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
