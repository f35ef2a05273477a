import type { Clock } from '@errand/base/clock.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { version } from '@errand/base/program-version.ts';
import { packWorkspace } from '@errand/sandbox/workspace-archive';
import type { Workspaces } from '@errand/sandbox/workspaces';
import { accountNotFound } from '../../store/accounts/accounts.ts';
import { type ArchiveManifest, writeArchiveManifest } from '../../store/account-archive/archive-manifest.ts';
import { endArchiveHold, holdForArchive } from '../../store/account-archive/archive-holds.ts';
import {
  type ArchivedTable,
  archivedTables,
  omittedTables,
  selectArchived,
  stripRow,
} from '../../store/account-archive/archived-tables.ts';
import { loadColumns } from '../../store/account-archive/column-kinds.ts';
import type { RowReader } from '../../store/account-archive/row-readers.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import type { RowValues } from '../../store/db/store-operation.ts';
import { archiveNames } from './archive-names.ts';
import { LostSecrets } from './lost-secrets.ts';
import { ZipStream } from '../../store/account-archive/zip-stream.ts';

const holdMs = 10 * 60_000;
const renewEveryMs = 60_000;
/** Characters of rows written at a time. */
const pieceLength = 64 * 1024;

export interface ExportParts {
  database: Database;
  blobs: Pick<Blobs, 'open'>;
  workspaces: Workspaces;
  clock: Clock;
  /** Opens the database as it is now. */
  openRows(): Promise<RowReader>;
}

/** Makes the archive of one account. */
class AccountExport {
  readonly #parts: ExportParts;
  readonly #accountId: string;
  readonly #rows: RowReader;
  readonly #zip = new ZipStream();
  readonly #lost = new LostSecrets();
  readonly #tables: ArchiveManifest['tables'] = [];
  readonly #workspaces: ArchiveManifest['workspaces'] = [];
  readonly #blobIds = new Set<string>();
  readonly #taskIds: string[] = [];
  #email = '';

  constructor(parts: ExportParts, accountId: string, rows: RowReader) {
    this.#parts = parts;
    this.#accountId = accountId;
    this.#rows = rows;
  }

  /** Writes the archive; closes the rows at its end. */
  async *make(): AsyncGenerator<Uint8Array, ArchiveManifest> {
    try {
      await this.#checkExists();
      for (const archived of archivedTables) {
        yield* this.#zip.add(archiveNames.table(archived.table), this.#readTable(archived));
      }
      await this.#lost.readOmitted(this.#rows, this.#accountId);
    } finally {
      // Files take long to download, and a snapshot keeps the database from clearing what was deleted since.
      await this.#rows.close();
    }
    const { blobs } = this.#parts;
    for (const blobId of [...this.#blobIds].toSorted()) {
      yield* this.#zip.add(archiveNames.blob(blobId), await blobs.open(this.#accountId, blobId));
    }
    for (const taskId of this.#taskIds) yield* this.#addWorkspace(taskId);
    const manifest = {
      schema: (await loadColumns()).schema,
      made_at: this.#parts.clock.now(),
      made_by: version,
      account: { id: this.#accountId, email: this.#email },
      tables: this.#tables,
      workspaces: this.#workspaces,
      files: this.#zip.files.slice(),
      left_out: [...omittedTables].map(([table, reason]) => ({ table, reason })),
      enter_again: this.#lost.list,
    };
    const text = writeArchiveManifest(manifest);
    yield* this.#zip.add(archiveNames.manifest, single(text));
    yield* this.#zip.end();
    return JSON.parse(text) as ArchiveManifest;
  }

  /** Fails before the first byte is sent, so that the caller gets an error instead of a broken file. */
  async #checkExists(): Promise<void> {
    const [accounts] = archivedTables;
    if (!accounts) throw accountNotFound();
    for await (const _ of this.#rows.read({ table: accounts.table, ...selectArchived(accounts, this.#accountId) })) return;
    throw accountNotFound();
  }

  async *#readTable(archived: ArchivedTable): AsyncGenerator<string> {
    const { table } = archived;
    let [rows, text] = [0, ''];
    for await (const row of this.#rows.read({ table, ...selectArchived(archived, this.#accountId) })) {
      this.#note(table, row);
      rows += 1;
      text += `${JSON.stringify(stripRow(row, archived))}\n`;
      if (text.length < pieceLength) continue;
      yield text;
      text = '';
    }
    yield text;
    this.#tables.push({ table, rows });
  }

  #note(table: string, row: RowValues): void {
    if (table === 'accounts') this.#email = String(row['email']);
    if (table === 'tasks') this.#taskIds.push(String(row['id']));
    if (table === 'blob_refs') this.#blobIds.add(String(row['blob_id']));
    this.#lost.note(table, row);
  }

  /** Adds the workspace on this machine. If another machine has a newer copy, that copy is among the files. */
  async *#addWorkspace(taskId: string): AsyncGenerator<Uint8Array> {
    const { workspaces } = this.#parts;
    const generation = await workspaces.generation(this.#accountId, taskId);
    if (generation === null) return;
    const { content, leftOut } = packWorkspace(workspaces.open(this.#accountId, taskId).root);
    yield* this.#zip.add(archiveNames.workspace(taskId), content);
    this.#workspaces.push({ task_id: taskId, generation, left_out: leftOut().count });
  }
}

async function* single(text: string): AsyncGenerator<string> {
  yield text;
}

/** Passes the pieces on, and keeps their sources open while somebody reads. */
async function* holding<Result>(
  { database, clock }: ExportParts,
  id: string,
  pieces: AsyncGenerator<Uint8Array, Result>,
): AsyncGenerator<Uint8Array, Result> {
  let heldAt = clock.monotonic();
  try {
    for (;;) {
      const piece = await pieces.next();
      if (piece.done) return piece.value;
      if (clock.monotonic() - heldAt > renewEveryMs) {
        heldAt = clock.monotonic();
        await database.run(holdForArchive, { id, holdMs });
      }
      yield piece.value;
    }
  } finally {
    await pieces.return(undefined as never);
  }
}

/**
 * Exports an account as an archive that is made while it is read, so memory holds only one piece. The order makes it consistent: deletions
 * of files are held, the rows are read as of one point in time, then the files that they refer to, which never change. Folders are copied
 * as they are found.
 */
export async function* exportAccount(parts: ExportParts, accountId: string): AsyncGenerator<Uint8Array, ArchiveManifest> {
  const id = `export-${randomBase62(12)}`;
  await parts.database.run(holdForArchive, { id, holdMs });
  try {
    const rows = await parts.openRows();
    return yield* holding(parts, id, new AccountExport(parts, accountId, rows).make());
  } finally {
    await parts.database.run(endArchiveHold, { id });
  }
}
