import { Fault } from '@errand/base/fault.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { changeStorageUse } from '../blobs/storage-use.ts';
import { computedCodec, integer, text } from '../db/row-codec.ts';
import {
  insertRow,
  type RowValues,
  type Script,
  selectFirst,
  sql,
  type Statement,
  type StoreOperation,
} from '../db/store-operation.ts';
import { replaceWorkspaceSave, type WorkspaceCopy } from '../tasks/workspace-saves.ts';
import { refuseArchive } from './archive-refusal.ts';
import { readArchivedRow, readLines } from './archived-rows.ts';
import { archivedTables } from './archived-tables.ts';
import type { ColumnKinds } from './column-kinds.ts';

/** Notes in both records that somebody has exported an account. */
export const noteExport: StoreOperation<{ accountId: string; actor: string; now: number }, null> = {
  name: 'accountArchives.note',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, actor, now: atMs }) {
    yield [
      noteSecurityEvent({ accountId, atMs, kind: 'account_exported', actor, detail: {} }),
      noteSecurityEvent({ accountId: instanceRecord, atMs, kind: 'account_exported', actor, detail: { account_id: accountId } }),
    ];
    return null;
  },
};

const accountRow = computedCodec('an account', { account_id: text });

function* refuseExisting(accountId: string, email: string): Script<void> {
  const found = yield* selectFirst(
    'SELECT account_id FROM accounts WHERE account_id = ? OR email = ? ORDER BY account_id = ? DESC',
    accountId,
    email,
    accountId,
  );
  if (!found) return;
  if (accountRow.account_id(found) !== accountId) {
    throw new Fault('conflict', `email: ${email} has an account already; choose another address.`, { param: 'email' });
  }
  const remedy = 'delete it first, and wait until it is gone';
  throw new Fault('conflict', `file: this instance has the account ${accountId}; ${remedy}.`, { param: 'file' });
}

/**
 * Prepares an import; throws 409 if the account or its address exists. The record of an earlier deletion of the account is removed,
 * whose late remains would no longer be told from the import, and workspace sizes measured during a failed import are forgotten.
 */
export const beginImport: StoreOperation<{ accountId: string; email: string }, null> = {
  name: 'accountArchives.begin',
  access: 'exclusive',
  *run({ accountId, email }) {
    yield* refuseExisting(accountId, email);
    yield [
      sql('DELETE FROM account_deletions WHERE account_id = ?', accountId),
      sql(
        'UPDATE storage_use SET workspace_bytes = 0, workspace_files = 0, packed_bytes = 0, packed_workspaces = 0 WHERE account_id = ?',
        accountId,
      ),
      sql('DELETE FROM workspace_use WHERE account_id = ?', accountId),
    ];
    return null;
  },
};

/** Columns whose values are unique in an instance, besides those of the accounts themselves. */
const uniqueColumns: Readonly<Record<string, string>> = { tasks: 'share_id', websites: 'space', oauth_apps: 'client_id' };

function* refuseTaken(table: string, row: RowValues): Script<void> {
  const column = uniqueColumns[table];
  const value = column === undefined ? null : (row[column] ?? null);
  if (column === undefined || value === null) return;
  if (!(yield* selectFirst(`SELECT 1 AS found FROM ${table} WHERE ${column} = ?`, value))) return;
  throw new Fault('conflict', `file: this instance has a row of ${table} with the same ${column} already.`, { param: 'file' });
}

/** Rows sent to the database at once. */
const rowsAtOnce = 50;

export interface ImportTable {
  table: string;
  /** A file with its rows. */
  file: string;
  rows: number;
}

export interface ImportRowsArgs {
  accountId: string;
  email: string;
  tables: readonly ImportTable[];
  /** Folders that become the newest copies of those of their tasks, on top of the rows. */
  copies?: readonly WorkspaceCopy[];
  columns: ColumnKinds;
  actor: string;
  now: number;
}

function* storeTable({ table, file, rows }: ImportTable, { accountId, email, columns, now }: ImportRowsArgs): Script<void> {
  const archived = archivedTables.find((one) => one.table === table);
  if (!archived) throw refuseArchive(`it has an unknown table ${JSON.stringify(table.slice(0, 40))}`);
  const rules = { ...archived, accountId, columns: columns[table] ?? {} };
  // It must not become the oldest account, which commands and the first password are for by default, and the teams that it was in are left.
  const ofNewAccount = { email, created_at: now, left_team_at: now };
  let [count, waiting]: [number, Statement[]] = [0, []];
  for (const line of readLines(file)) {
    const row = readArchivedRow(line, rules);
    yield* refuseTaken(table, row);
    waiting.push(insertRow(table, table === 'accounts' ? { ...row, ...ofNewAccount } : row));
    count += 1;
    if (waiting.length < rowsAtOnce) continue;
    yield waiting;
    waiting = [];
  }
  yield waiting;
  if (count !== rows || (table === 'accounts' && count !== 1)) throw refuseArchive(`${table} lacks rows, or has too many`);
}

function* storeCopies({ accountId, copies = [], now }: ImportRowsArgs): Script<void> {
  for (const copy of copies) {
    if (!(yield* replaceWorkspaceSave(accountId, copy, now))) throw refuseArchive('the copy of a folder is missing');
  }
}

/** Keeps the files that were stored before from being swept. Throws if one that a row refers to is missing. */
function* confirmBlobs(accountId: string): Script<void> {
  yield [
    sql(
      `UPDATE blobs SET sweep_at = NULL WHERE account_id = ? AND sweep_at > 0
       AND id IN (SELECT blob_id FROM blob_refs WHERE account_id = ?)`,
      accountId,
      accountId,
    ),
  ];
  const missing = yield* selectFirst(
    `SELECT 1 AS found FROM blob_refs r WHERE r.account_id = ? AND NOT EXISTS
     (SELECT 1 FROM blobs b WHERE b.account_id = r.account_id AND b.id = r.blob_id AND b.sweep_at IS NULL)`,
    accountId,
  );
  if (missing) throw refuseArchive('a file is missing');
}

const useRow = computedCodec('the size of workspaces', { bytes: integer, files: integer });

/** Counts the workspaces of an account that are folders, and those that are packed. */
function* countWorkspaces(accountId: string): Script<void> {
  const [[folders] = [], [archives] = []] = yield [
    sql(
      'SELECT COALESCE(SUM(bytes), 0) AS bytes, COALESCE(SUM(files), 0) AS files FROM workspace_use WHERE account_id = ?',
      accountId,
    ),
    sql(
      `SELECT COALESCE(SUM(packed_bytes), 0) AS bytes, COUNT(*) AS files FROM workspace_saves
       WHERE account_id = ? AND packed_bytes IS NOT NULL`,
      accountId,
    ),
  ];
  yield* changeStorageUse(accountId, {
    ...(folders && { workspaces: { bytes: useRow.bytes(folders), files: useRow.files(folders) } }),
    ...(archives && { packed: { bytes: useRow.bytes(archives), files: useRow.files(archives) } }),
  });
}

/** The rows of an account, all or none. */
export const importRows: StoreOperation<ImportRowsArgs, null> = {
  name: 'accountArchives.importRows',
  access: 'exclusive',
  *run(args) {
    const { accountId, email, tables, actor, now: atMs } = args;
    yield* refuseExisting(accountId, email);
    if (tables[0]?.table !== 'accounts') throw refuseArchive('it has no account');
    for (const table of tables) yield* storeTable(table, args);
    yield* storeCopies(args);
    yield* confirmBlobs(accountId);
    yield* countWorkspaces(accountId);
    yield [
      noteSecurityEvent({ accountId, atMs, kind: 'account_imported', actor, detail: {} }),
      noteSecurityEvent({ accountId: instanceRecord, atMs, kind: 'account_imported', actor, detail: { account_id: accountId } }),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }, { topic: 'accounts' }, { topic: 'due' }, { topic: 'schedules' }],
};
