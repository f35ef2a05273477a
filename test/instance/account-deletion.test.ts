import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '@errand/base/log.ts';
import { newId } from '@errand/base/ids.ts';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import {
  beginAccountDeletion,
  deleteAccountRows,
  endAccountDeletion,
  endDeletionWatch,
  listAccountDeletions,
} from '../../src/store/accounts/account-deletion.ts';
import { beginImport } from '../../src/store/account-archive/import-rows.ts';
import { accountTables, storageTables } from '../../src/store/accounts/account-tables.ts';
import { createBlobs } from '../../src/store/blobs/blobs.ts';
import { DiskBlobStore } from '../../src/store/blobs/disk-blob-store.ts';
import type { RowValues, SqlValue } from '../../src/store/db/store-operation.ts';
import { AccountDeletions } from '../../src/work/accounts/account-deletions.ts';
import { createAccountFolders } from '../../src/app/account-folders.ts';
import { makeTeam } from '../support/accounts/team-sample.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { addInstanceKey, addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { furnishBrand, listBrandCanaries } from '../support/brands/furnished-brand.ts';
import { ServiceClient } from '../support/service/service-client.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';

const instanceId = newId(1);
const migrations = new URL('../../migrations/', import.meta.url);
const schema = readdirSync(migrations).map((name) => readFileSync(new URL(name, migrations), 'utf8'));
const allTables = [...schema.join('\n').matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, name]) => name ?? []);

/** Columns of a table and whether each is text. */
async function columnsOf(store: OpenStore, table: string): Promise<{ name: string; isText: boolean }[]> {
  const rows =
    store.engine === 'sqlite'
      ? await store.query(`SELECT name, type FROM pragma_table_info('${table}')`)
      : await store.query(
          `SELECT column_name AS name, data_type AS type FROM information_schema.columns
           WHERE table_schema = current_schema() AND table_name = '${table}'`,
        );
  return rows.map(({ name, type }) => ({ name: String(name), isText: /text/i.test(String(type)) }));
}

async function dump(store: OpenStore): Promise<string> {
  const rows: RowValues[] = [];
  for (const table of allTables) rows.push(...(await store.query(`SELECT '${table}' AS of_table, t.* FROM ${table} t`)));
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

/** A row with the canary in every text of every table that accounts have, a blob, a workspace, pages, and the folders of a connector and a memory. */
async function fill(store: OpenStore, dataDir: string, blobs: ReturnType<typeof createBlobs>, accountId: string, canary: string) {
  for (const { table, column } of [...accountTables, ...storageTables]) {
    const columns = await columnsOf(store, table);
    const values = columns.map(({ name, isText }, index): SqlValue => {
      if (name === column || (name === 'account_id' && column !== 'task_account_id')) return accountId;
      return isText ? `${canary} ${table} ${column} ${index}` : 1;
    });
    const names = columns.map(({ name }) => name).join(', ');
    await store.query(
      `INSERT INTO ${table} (${names}) VALUES (${values.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
      ...values,
    );
  }
  const source = (async function* () {
    yield Buffer.from(canary);
  })();
  const { blobId } = await blobs.put(accountId, source, { maxBytes: 1000 });
  const write = async (path: string) => {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), canary);
  };
  await write(`workspaces/${instanceId}/${accountId}/${newId(1)}/notes.md`);
  await write(`pages/${instanceId}/${accountId}.${blobId}.pptx.pdf`);
  await write(`connectors/${instanceId}/${accountId}/c1/state.json`);
  await write(`memory/${instanceId}/${accountId}/${newId(1)}-1/account/people.md`);
}

function build(store: OpenStore, clock = new TestClock(Date.now())) {
  const dataDir = createFolder('data');
  const blobs = createBlobs({
    database: store.database,
    blobStore: new DiskBlobStore(join(dataDir, 'blobs', instanceId)),
    clock,
  });
  const workspaces = createWorkspaces(join(dataDir, 'workspaces', instanceId));
  const folders = createAccountFolders({ dataDir, instanceId, workspaces });
  const parts = { database: store.database, blobs, folders, clock, log: silentLog };
  return { dataDir, blobs, clock, deletions: () => new AccountDeletions(parts) };
}

describe('the list of tables with rows of accounts', () => {
  it('has every table of the schema that names an account', () => {
    const text = schema.join('\n');
    const named = [...text.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n\)/g)].flatMap(([, name = '', columns = '']) =>
      /^ +(account_id|owner_id) /m.test(columns) ? [name] : [],
    );
    const added = [...text.matchAll(/ALTER TABLE (\w+) ADD COLUMN \w*account_id/g)].map(([, name = '']) => name);
    const apart = ['accounts', 'account_deletions', 'blobs'];
    const listed = [...accountTables, ...storageTables].map(({ table }) => table);
    expect(new Set([...listed, ...apart])).toEqual(new Set([...named, ...added]));
  });
});

describeStores('deleting an account', (store) => {
  const begin = (accountId: string) =>
    store.database.run(beginAccountDeletion, { accountId, actor: 'operator', now: Date.now() });
  const forever = () => true;

  it('leaves nothing of it in any table or file, and everything of another account', async () => {
    const { dataDir, blobs, deletions } = build(store);
    const [gone, stays] = [await addOwner(store.database), await addOwner(store.database)];
    await fill(store, dataDir, blobs, gone.accountId, 'canary-of-the-deleted');
    await fill(store, dataDir, blobs, stays.accountId, 'canary-of-the-other');
    const before = (await dump(store))
      .split('\n')
      .filter((row) => row.includes('canary-of-the-other') || row.includes(stays.accountId));
    expect(new Set(before.map((row) => (JSON.parse(row) as { of_table: string }).of_table)).size).toBeGreaterThan(35);
    await begin(gone.accountId);
    await deletions().run(forever);
    const after = await dump(store);
    expect(after).not.toContain('canary-of-the-deleted');
    expect(after).not.toContain(`${gone.accountId}@`.toLowerCase());
    for (const row of before) expect(after).toContain(row);
    const files = listFiles(dataDir);
    expect(files.filter((file) => file.includes(gone.accountId))).toEqual([]);
    expect(files.filter((file) => readFileSync(file, 'utf8') === 'canary-of-the-other')).toHaveLength(5);
    expect(files).toHaveLength(5);
    expect(existsSync(join(dataDir, 'blobs', instanceId, gone.accountId))).toBe(false);
    // Only the record of the instance and the note for late rows name its id.
    const rows = after.split('\n').filter((row) => row.includes(gone.accountId));
    expect(rows.map((row) => (JSON.parse(row) as { of_table: string }).of_table).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'account_deletions',
      'security_events',
    ]);
  });

  it('goes on from wherever a process was killed, one bounded step at a time', async () => {
    const { dataDir, blobs, deletions } = build(store);
    const { accountId } = await addOwner(store.database);
    await fill(store, dataDir, blobs, accountId, 'canary');
    await begin(accountId);
    // Each step is a transaction; between any two of them the process may end.
    let steps = 0;
    while ((await store.database.run(deleteAccountRows, { accountId, limit: 1 })) === 'more') steps += 1;
    expect(steps).toBeGreaterThan(30);
    expect(await store.database.run(endAccountDeletion, { accountId })).toBe(false);
    await deletions().run(forever);
    expect(await dump(store)).not.toContain('canary');
    expect(await store.database.run(listAccountDeletions, null)).toEqual({ pending: [], done: [accountId] });
  });

  it('leaves an account alone that was imported since', async () => {
    const { clock, deletions } = build(store);
    const { accountId } = await addOwner(store.database);
    await begin(accountId);
    const worker = deletions();
    await worker.run(forever);
    await store.database.run(beginImport, { accountId, email: 'ann@example.com' });
    await store.query(
      `INSERT INTO accounts (account_id, email, plan, locale, created_at, status) VALUES (?, 'ann@example.com', 'pro', 'en', 1, 'active')`,
      accountId,
    );
    await store.query(
      'INSERT INTO storage_use (account_id, blob_bytes, blobs, workspace_bytes, workspace_files) VALUES (?, 1, 1, 1, 1)',
      accountId,
    );
    await clock.advance(10 * 60_000 + 1);
    // A process that still believes that it has to look after late rows.
    expect(await store.database.run(deleteAccountRows, { accountId, limit: 100 })).toBe('kept');
    await worker.run(forever);
    for (const table of ['accounts', 'storage_use'])
      expect(await store.query(`SELECT account_id FROM ${table} WHERE account_id = ?`, accountId)).toHaveLength(1);
  });

  it('removes what a request under way adds late, for a day', async () => {
    const { clock, deletions } = build(store);
    const { accountId } = await addOwner(store.database);
    await begin(accountId);
    const worker = deletions();
    await worker.run(forever);
    const late = () =>
      store.query(
        'INSERT INTO storage_use (account_id, blob_bytes, blobs, workspace_bytes, workspace_files) VALUES (?, 1, 1, 1, 1)',
        accountId,
      );
    await late();
    await clock.advance(10 * 60_000 + 1);
    await worker.run(forever);
    expect(await store.query('SELECT * FROM storage_use')).toEqual([]);
    expect(await store.database.run(endDeletionWatch, { limit: 9 })).toBe(0);
    await store.query('UPDATE account_deletions SET deleted_at = 1');
    expect(await store.database.run(endDeletionWatch, { limit: 9 })).toBe(1);
  });

  it('waits for a backup that is under way', async () => {
    const { dataDir, blobs, deletions } = build(store);
    const { accountId } = await addOwner(store.database);
    await fill(store, dataDir, blobs, accountId, 'canary');
    await store.query("INSERT INTO instance (name, value) VALUES ('backup:1', ?)", String(Date.now() + 3_600_000));
    await begin(accountId);
    await deletions().run(forever);
    expect(await store.database.run(listAccountDeletions, null)).toEqual({ pending: [accountId], done: [] });
    expect(listFiles(dataDir)).toHaveLength(5);
    await store.query("DELETE FROM instance WHERE name = 'backup:1'");
    await deletions().run(forever);
    expect(listFiles(dataDir)).toEqual([]);
  });

  it('removes a team without anybody else, and its address from what others were told', async () => {
    const { deletions } = build(store);
    const [gone, mate] = [await addOwner(store.database), await addOwner(store.database)];
    const email = `${gone.accountId}@example.com`.toLowerCase();
    for (const [teamId, accountId] of [
      ['t1', gone.accountId],
      ['t2', mate.accountId],
    ] as const) {
      await store.query("INSERT INTO teams (team_id, name, created_at) VALUES (?, 'n', 1)", teamId);
      await store.query(
        "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'owner', 1)",
        accountId,
        teamId,
      );
    }
    await store.query(
      "INSERT INTO team_invitations (digest, team_id, email, role, created_at, expires_at) VALUES ('d', 't2', ?, 'member', 1, 1)",
      email,
    );
    await begin(gone.accountId);
    await deletions().run(forever);
    expect(await store.query('SELECT team_id FROM teams')).toEqual([{ team_id: 't2' }]);
    expect(await dump(store)).not.toContain(email);
  });

  it('leaves nobody assigned to the items of a teammate', async () => {
    const { deletions } = build(store);
    const [gone, mate] = [await addOwner(store.database), await addOwner(store.database)];
    await store.query("INSERT INTO teams (team_id, name, created_at) VALUES ('t1', 'n', 1)");
    for (const { accountId } of [gone, mate]) {
      await store.query(
        "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, 't1', ?, 1)",
        accountId,
        accountId === mate.accountId ? 'owner' : 'member',
      );
    }
    const assign = 'INSERT INTO inbox_assignments (account_id, task_id, seq, assignee, assigned_at) VALUES (?, ?, 1, ?, 1)';
    await store.query(assign, mate.accountId, 'a', gone.accountId);
    await store.query(assign, mate.accountId, 'b', mate.accountId);
    await begin(gone.accountId);
    await deletions().run(forever);
    expect(await store.query('SELECT task_id, assignee FROM inbox_assignments')).toEqual([
      { task_id: 'b', assignee: mate.accountId },
    ]);
  });

  it('takes comments of the account along, wherever they are, and what is handed over to it', async () => {
    const { deletions } = build(store);
    await using api = await ApiUnderTest.start(store.database);
    const [gone, mate] = [await addOwner(store.database), api.owner];
    await makeTeam(store, mate, [gone]);
    const taskId = await api.createTask('Ours', { share_visibility: 'team' });
    await api.call('task.comment', { task_id: taskId, text: 'Mine.' });
    await api.call('task.comment', { task_id: taskId, text: 'canary of the other' }, { key: gone.key });
    await api.call('task.handOver', { task_id: taskId, account_id: gone.accountId });
    await begin(gone.accountId);
    await deletions().run(forever);
    expect(await store.query('SELECT text FROM comments')).toEqual([{ text: 'Mine.' }]);
    expect(await store.query('SELECT assignee FROM tasks WHERE id = ?', taskId)).toEqual([{ assignee: null }]);
    expect(await dump(store)).not.toContain('canary of the other');
  });

  it('is answered with 202, refuses credentials at once, shows that it is under way, and then 404', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { deletions } = build(store);
    const key = await addInstanceKey(store.database);
    const { accountId } = api.owner;
    const remove = () => api.call('instance.deleteAccount', { account_id: accountId }, { key });
    const first = await remove();
    expect([first.status, first.body]).toEqual([
      202,
      expect.objectContaining({ ok: true, account_id: accountId, status: 'deleting' }),
    ]);
    expect((await remove()).status).toBe(202);
    expect((await api.call('task.list')).status).toBe(401);
    const show = () => api.call('instance.accountDetail', { account_id: accountId }, { key });
    expect((await show()).body.account).toMatchObject({ status: 'deleting' });
    expect((await api.call('instance.updateAccount', { account_id: accountId, status: 'active' }, { key })).status).toBe(412);
    expect((await api.call('instance.createKey', { account_id: accountId }, { key })).status).toBe(412);
    await deletions().run(forever);
    expect((await show()).status).toBe(404);
    expect((await remove()).status).toBe(404);
    const events = await store.query(
      "SELECT kind FROM security_events WHERE account_id = 'instance' AND kind = 'account_deleted'",
    );
    expect(events).toHaveLength(1);
  });
});

describe('a service whose account was deleted on the command line', () => {
  it('has nothing of it in the bytes of its data folder, and an instance without accounts gets another', async () => {
    await using service = await LocalService.start();
    const cli = new CliUnderTest({ ERRAND_DATA_DIR: service.dataDir });
    const made = await cli.runJson(['account', 'create', '--email', 'canary-bird@example.com']);
    const headers = { 'x-service-api-key': String(made.api_key), 'content-type': 'application/json' };
    const body = JSON.stringify({ message: { content: 'write notes.md with canary-in-the-file' } });
    const created = (await (await fetch(`${service.url}/v2/task.create`, { method: 'POST', headers, body })).json()) as {
      task_id: string;
    };
    const isOver = async () => {
      const response = await fetch(`${service.url}/v2/task.detail?task_id=${created.task_id}`, { headers });
      return ((await response.json()) as { task: { status: string } }).task.status === 'stopped';
    };
    while (!(await isOver()));
    const client = new ServiceClient({ url: service.url, apiKey: String(made.api_key) });
    const { project } = (await client.ask('project.create', { name: 'Garden' })) as { project: { id: string } };
    await furnishBrand(client, { scope: 'account' }, 'canary-brand');
    await furnishBrand(client, { scope: 'project', id: project.id }, 'canary-project');
    const canaries = [
      ...['canary-bird', 'canary-in-the-file'],
      ...listBrandCanaries('canary-brand'),
      ...listBrandCanaries('canary-project'),
    ];
    const found = () => {
      const contents = listFiles(service.dataDir).map((file) => readFileSync(file, 'latin1'));
      return canaries.filter((canary) => contents.some((content) => content.includes(canary)));
    };
    expect(found()).toEqual(canaries);
    const id = String(made.account_id);
    expect((await cli.run(['account', 'delete', id])).stderr).toContain('--yes is missing');
    expect((await cli.run(['account', 'delete', id, '--yes'])).stdout).toBe(`deleting ${id}`);
    while ((await cli.run(['account', 'show', id])).code === 0);
    const [first] = (await cli.runJson(['account', 'list'])).data as { id: string }[];
    await cli.run(['account', 'delete', String(first?.id), '--yes']);
    while ((await cli.run(['account', 'show', String(first?.id)])).code === 0);
    expect(await cli.runJson(['account', 'create', '--email', 'next@example.com'])).toMatchObject({ code: 0 });
    await service.stop();
    expect(found()).toEqual([]);
  });
});
