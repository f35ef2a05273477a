import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { eventually } from '../../../test/support/service/service-client.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { expectBlob, takeUnneededBlobs } from '../blobs/blob-references.ts';
import { recordBlob, recordWorkspaceUse } from '../blobs/storage-use.ts';
import { findWorkspaceSave, type WorkspaceCopy } from '../tasks/workspace-saves.ts';
import { loadColumns } from './column-kinds.ts';
import { endArchiveHold, holdForArchive } from './archive-holds.ts';
import { dropImportedBlobs, expectImportedBlob, takeImportedBlobs } from './import-blobs.ts';
import { beginImport, importRows, noteExport } from './import-rows.ts';

const folder = createFolder('rows');

describeStores('the rows of an account', (store) => {
  const email = 'ann@example.com';
  let [accountId, blobId] = ['', ''];
  beforeEach(() => {
    [accountId, blobId] = [newId(Date.now()), newId(Date.now())];
  });

  function write(table: string, rows: readonly unknown[]) {
    const file = join(folder, `${accountId}-${table}`);
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return { table, file, rows: rows.length };
  }

  const account = () =>
    write('accounts', [{ account_id: accountId, email: 'was@example.com', plan: 'pro', locale: 'en', created_at: 1 }]);
  const references = () => write('blob_refs', [{ account_id: accountId, blob_id: blobId, owner: 'file:1' }]);

  async function run(tables: ReturnType<typeof write>[], copies: WorkspaceCopy[] = []) {
    const { columns } = await loadColumns();
    return store.database.run(importRows, { accountId, email, tables, copies, columns, actor: 'operator', now: 1000 });
  }

  async function addBlob(): Promise<void> {
    await store.database.run(expectBlob, { accountId, blobId, graceMs: 60_000 });
    await store.database.run(recordBlob, { accountId, blobId, bytes: 5, limit: null });
  }

  it('are stored with the address that was chosen, and keep the files that they refer to', async () => {
    await addBlob();
    await run([account(), references()]);
    expect(await store.query('SELECT email, created_at, status, password FROM accounts WHERE account_id = ?', accountId)).toEqual(
      [{ email, created_at: 1000, status: 'active', password: null }],
    );
    expect(await store.query('SELECT sweep_at FROM blobs WHERE account_id = ?', accountId)).toEqual([{ sweep_at: null }]);
    const kinds = await store.query('SELECT account_id, kind FROM security_events ORDER BY account_id');
    expect(kinds.map(({ kind }) => kind)).toEqual(['account_imported', 'account_imported']);
    await expect(store.database.run(beginImport, { accountId, email: 'new@example.com' })).rejects.toMatchObject({
      param: 'file',
    });
    await expect(store.database.run(beginImport, { accountId: newId(1), email })).rejects.toMatchObject({ param: 'email' });
  });

  it('are refused together if one is, and the records of their files can be removed', async () => {
    await addBlob();
    const projects = write('projects', [{ account_id: accountId, id: 'p', nothing: 1 }]);
    await expect(run([account(), references(), projects])).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(run([references(), account()])).rejects.toThrow('it has no account');
    for (const table of ['accounts', 'blob_refs', 'projects', 'security_events'])
      expect(await store.query(`SELECT * FROM ${table}`)).toEqual([]);
    await store.database.run(recordWorkspaceUse, { accountId, taskId: 't', bytes: 5, files: 1 });
    expect(await store.database.run(takeImportedBlobs, { accountId })).toEqual([blobId]);
    expect(await store.query('SELECT * FROM workspace_use')).toEqual([]);
    const again = { accountId, blobId, graceMs: 60_000 };
    await expect(store.database.run(expectImportedBlob, again)).rejects.toMatchObject({ retryAfterS: 60 });
    await store.database.run(dropImportedBlobs, { accountId, blobIds: [blobId] });
    expect(await store.query('SELECT * FROM blobs')).toEqual([]);
    expect(await store.query('SELECT * FROM storage_use')).toEqual([]);
  });

  it('are refused if a file is missing, or is being removed', async () => {
    await expect(run([account(), references()])).rejects.toThrow('a file is missing');
    await addBlob();
    await store.query('UPDATE blobs SET sweep_at = 0 WHERE id = ? RETURNING id', blobId);
    await expect(run([account(), references()])).rejects.toThrow('a file is missing');
  });

  it('of an account that exists lose nothing when an import of it fails', async () => {
    await addBlob();
    await run([account(), references()]);
    await expect(run([account()])).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.database.run(takeImportedBlobs, { accountId })).toBe(null);
    await store.database.run(dropImportedBlobs, { accountId, blobIds: [blobId] });
    expect(await store.query('SELECT id FROM blobs')).toEqual([{ id: blobId }]);
  });

  it('are waited for by whoever removes their files, if they are just being stored', async () => {
    // SQLite has one writer at a time.
    if (store.engine === 'sqlite') return;
    await addBlob();
    await store.query('BEGIN');
    await store.query(
      'INSERT INTO accounts (account_id, email, plan, locale, created_at) VALUES (?, ?, ?, ?, 1)',
      ...[accountId, email, 'pro', 'en'],
    );
    await store.query('UPDATE storage_use SET blobs = 1 WHERE account_id = ?', accountId);
    const taking = store.database.run(takeImportedBlobs, { accountId });
    const waits = 'SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';
    await eventually('the removal waits', async () => ((await store.query(waits)).length > 0 ? true : null));
    await store.query('COMMIT');
    expect(await taking).toBe(null);
  });

  it('replace what an interrupted import left of them', async () => {
    await addBlob();
    await store.database.run(recordWorkspaceUse, { accountId, taskId: 't', bytes: 5, files: 1 });
    await store.database.run(beginImport, { accountId, email });
    expect(await store.database.run(expectImportedBlob, { accountId, blobId, graceMs: 60_000 })).toBe(false);
    const other = newId(Date.now());
    expect(await store.database.run(expectImportedBlob, { accountId, blobId: other, graceMs: 60_000 })).toBe(true);
    await run([account(), references(), write('workspace_use', [{ account_id: accountId, task_id: 't', bytes: 7, files: 1 }])]);
    const counted = await store.query('SELECT blobs, workspace_bytes FROM storage_use WHERE account_id = ?', accountId);
    expect(counted.map((row) => Object.values(row).map(Number))).toEqual([[1, 7]]);
  });

  it('have folders as the newest copies of their tasks', async () => {
    await addBlob();
    const saves = write('workspace_saves', [{ account_id: accountId, task_id: 't', generation: 3, blob_id: 'old', saved_at: 1 }]);
    const owned = write('blob_refs', [{ account_id: accountId, blob_id: 'old', owner: 'workspace:t' }]);
    const copies = [{ taskId: 't', blobId, generation: 4 }];
    await run([account(), saves, owned], copies);
    expect(await store.database.run(findWorkspaceSave, { accountId, taskId: 't' })).toEqual({
      generation: 4,
      blobId,
      packedBytes: null,
    });
    const kept = await store.query('SELECT blob_id, owner FROM blob_refs WHERE account_id = ?', accountId);
    expect(kept).toEqual([{ blob_id: blobId, owner: 'workspace:t' }]);
  });

  it('count their packed workspaces, unless a folder is newer', async () => {
    await addBlob();
    const save = (taskId: string) => ({
      ...{ account_id: accountId, task_id: taskId, generation: 3, blob_id: blobId, saved_at: 1, packed_bytes: 5 },
    });
    const saves = write('workspace_saves', [save('t'), save('u')]);
    const owners = ['workspace:t', 'workspace:u'];
    const owned = write(
      'blob_refs',
      owners.map((owner) => ({ account_id: accountId, blob_id: blobId, owner })),
    );
    await run([account(), saves, owned], [{ taskId: 'u', blobId, generation: 4 }]);
    const counted = await store.query('SELECT packed_workspaces, packed_bytes FROM storage_use WHERE account_id = ?', accountId);
    expect(counted.map((row) => Object.values(row).map(Number))).toEqual([[1, 5]]);
  });

  it('can be read in peace: nothing they may refer to is removed while they are exported', async () => {
    await store.database.run(expectBlob, { accountId, blobId, graceMs: 0 });
    await store.database.run(holdForArchive, { id: 'export-1', holdMs: 60_000 });
    expect(await store.database.run(takeUnneededBlobs, { limit: 10 })).toEqual([]);
    await store.database.run(endArchiveHold, { id: 'export-1' });
    expect(await store.database.run(takeUnneededBlobs, { limit: 10 })).toEqual([{ accountId, blobId }]);
  });

  it('are noted in both records when somebody exports them', async () => {
    await store.database.run(noteExport, { accountId, actor: 'instance_key:1', now: 1 });
    const noted = await store.query("SELECT account_id FROM security_events WHERE kind = 'account_exported' ORDER BY account_id");
    expect(noted).toEqual([{ account_id: accountId }, { account_id: 'instance' }]);
  });
});
