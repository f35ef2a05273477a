import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { isId, randomBase62 } from '@errand/base/ids.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { isEmailAddress } from '@errand/base/text/email-address.ts';
import type { ImportRequest } from '../../api/contract/account-archives.ts';
import type { ArchiveManifest } from '../../store/account-archive/archive-manifest.ts';
import { endArchiveHold, holdForArchive } from '../../store/account-archive/archive-holds.ts';
import { refuseArchive } from '../../store/account-archive/archive-refusal.ts';
import { loadColumns } from '../../store/account-archive/column-kinds.ts';
import { beginImport, importRows, type ImportTable } from '../../store/account-archive/import-rows.ts';
import { archiveNames } from './archive-names.ts';
import { ArchiveReader } from './archive-reader.ts';
import { ImportedFiles, type ImportedFilesParts } from './imported-files.ts';
import { renewTrigger } from './imported-triggers.ts';

/** Longer than an import takes. */
const leftoverMs = 24 * 60 * 60_000;
/** Longer than it takes to store the rows, or one file. */
const holdMs = 60 * 60_000;
const renewEveryMs = 60_000;

export interface ImportParts extends ImportedFilesParts {
  /** Seals new URLs of triggers; null if this process lacks the secret of the instance. */
  box: Pick<SealedBox, 'seal'> | null;
  /** Folder for tables that are being read. */
  folder: string;
}

/** Explains a duplicate key, which each database reports in its own words. */
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
  readonly #holdId: string;
  #heldAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ImportParts, reader: ArchiveReader, request: ImportRequest, folder: string) {
    this.#parts = parts;
    this.#reader = reader;
    this.#request = request;
    this.#folder = folder;
    this.#accountId = reader.manifest.account.id;
    this.#holdId = `import-${randomBase62(12)}`;
  }

  async run(): Promise<void> {
    const { database } = this.#parts;
    const { manifest } = this.#reader;
    const accountId = this.#accountId;
    const email = this.#request.email ?? manifest.account.email;
    if (!isId(accountId) || !isEmailAddress(email) || email !== email.toLowerCase())
      throw refuseArchive('id or address of the account are none');
    await database.run(beginImport, { accountId, email });
    try {
      await this.#store(accountId, email);
    } finally {
      // Otherwise it ends within the hour.
      await database.run(endArchiveHold, { id: this.#holdId }).catch(() => undefined);
    }
  }

  async #store(accountId: string, email: string): Promise<void> {
    const { database, clock } = this.#parts;
    const { manifest } = this.#reader;
    const { columns } = await loadColumns();
    const tables: ImportTable[] = [];
    let files: ImportedFiles | null = null;
    try {
      for (const { table, rows } of manifest.tables) tables.push({ table, rows, file: await this.#unpackTable(table) });
      await this.#renewTriggers(tables);
      files = new ImportedFiles(this.#parts, this.#reader, tables.find(({ table }) => table === 'workspace_saves')?.file ?? null);
      for (const file of manifest.files) {
        await this.#goOn();
        await files.store(file);
      }
      await files.restoreSaves(() => this.#goOn());
      const { actor } = this.#request;
      await this.#hold();
      await database.run(importRows, { accountId, email, tables, copies: files.copies, columns, actor, now: clock.now() });
    } catch (error) {
      await files?.undo().catch(() => undefined);
      throw explain(error);
    }
  }

  /** Unpacks the rows of a table into a file, so that what was checked is what is stored. */
  async #unpackTable(table: string): Promise<string> {
    const file = join(this.#folder, `${table}.jsonl`);
    const listed = this.#reader.manifest.files.find(({ name }) => name === archiveNames.table(table));
    if (!listed) throw refuseArchive(`${table} is missing`);
    await this.#goOn();
    await writeFile(file, Readable.from(this.#reader.read(listed)), { mode: 0o600, flag: 'wx' });
    return file;
  }

  /** Throws if the import was interrupted. Folders stay though their tasks do not exist yet. */
  async #goOn(): Promise<void> {
    if (this.#request.signal.aborted) throw new Fault('unavailable', 'The import was interrupted; nothing was stored.');
    if (this.#parts.clock.monotonic() - this.#heldAt > renewEveryMs) await this.#hold();
  }

  async #hold(): Promise<void> {
    this.#heldAt = this.#parts.clock.monotonic();
    await this.#parts.database.run(holdForArchive, { id: this.#holdId, holdMs });
  }

  async #renewTriggers(tables: readonly ImportTable[]): Promise<void> {
    const { box, clock } = this.#parts;
    const triggers = tables.find(({ table }) => table === 'triggers');
    if (!triggers || triggers.rows === 0) return;
    if (!box) throw new Fault('failed_precondition', 'This process lacks ERRAND_SECRET.');
    const lines = (await readFile(triggers.file, 'utf8')).split('\n').filter((line) => line !== '');
    try {
      await writeFile(triggers.file, lines.map((line) => `${renewTrigger(line, box, clock.now())}\n`).join(''));
    } catch (error) {
      throw error instanceof SyntaxError || error instanceof TypeError ? refuseArchive('a row is damaged', error) : error;
    }
  }
}

/** Removes what killed imports left here. */
async function removeLeftovers(folder: string, clock: Clock): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < clock.now() - leftoverMs) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Imports an account from its archive: first its files, which nobody can see, then all rows in one transaction. After a failure nothing is
 * left.
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
