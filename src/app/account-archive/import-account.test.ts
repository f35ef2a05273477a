import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { packWorkspace } from '@errand/sandbox/workspace-archive';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import { describe, expect, it } from 'vitest';
import { claim, createTasks } from '../../../test/support/db/store-samples.ts';
import { inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { MemoryInstance } from '../../../test/support/instance/memory-instance.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { expectBlob } from '../../store/blobs/blob-references.ts';
import { recordBlob, recordWorkspaceUse } from '../../store/blobs/storage-use.ts';
import { findMissingTasks } from '../../store/tasks/missing-tasks.ts';
import { findWorkspaceSave, recordWorkspaceSave } from '../../store/tasks/workspace-saves.ts';
import { reconcileStorage } from '../../work/instance/storage-reconciliation.ts';
import { WorkspaceKeeper } from '../../work/tasks/workspace-keeper.ts';
import { ArchiveReader } from './archive-reader.ts';

const soonMs = 2000;
const files = createFolder('archives');

async function writeArchive(source: MemoryInstance, accountId: string): Promise<string> {
  const file = join(files, accountId);
  const pieces: Uint8Array[] = [];
  for await (const piece of source.export(accountId)) pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

/** An account with a task that has a folder with `a.txt`, and its archive. */
async function makeArchive({
  saved = null,
  local = 'local',
  isPacked = false,
}: {
  saved?: string | null;
  local?: string | null;
  isPacked?: boolean;
} = {}) {
  const source = new MemoryInstance();
  const accountId = await source.createAccount();
  const [taskId = ''] = await createTasks(source.database, accountId, 1);
  if (local !== null) await source.workspaces.open(accountId, taskId).write('a.txt', local);
  await source.database.run(recordWorkspaceUse, { accountId, taskId, bytes: 9, files: 1 });
  const claimed = await claim(source.database);
  const lease = claimed.find((task) => task.taskId === taskId);
  if (!lease) throw new Error('the task was not claimed');
  if (saved !== null) {
    const elsewhere = createWorkspaces(createFolder('elsewhere')).open(accountId, taskId);
    await elsewhere.write('a.txt', saved);
    const { blobId } = await source.blobs.put(accountId, packWorkspace(elsewhere.root).content, { maxBytes: 99_999 });
    await source.database.run(recordWorkspaceSave, { ...lease, blobId, now: source.clock.now() });
    if (isPacked)
      source.database.query('UPDATE workspace_saves SET packed_bytes = 9 WHERE task_id = ? RETURNING task_id', taskId);
  }
  return { accountId, taskId, file: await writeArchive(source, accountId) };
}

function readText(instance: Pick<MemoryInstance, 'workspaces'>, accountId: string, taskId: string): Promise<string> {
  return instance.workspaces.open(accountId, taskId).read('a.txt').then(String);
}

describe('an import of an account', () => {
  it('shares nothing with the teams of another instance, whichever of its own shared it, and names them all as lost', async () => {
    const source = new MemoryInstance();
    const accountId = await source.createAccount();
    const taskIds = await createTasks(source.database, accountId, 3);
    const share = 'UPDATE tasks SET share_visibility = ?, team_id = ? WHERE id = ? RETURNING id';
    for (const [index, [visibility, teamId]] of [
      ['team', 'blue'],
      ['team', null],
      ['public', 'red'],
    ].entries())
      source.database.query(share, visibility ?? null, teamId ?? null, taskIds[index] ?? null);
    const addMembership = (table: string) =>
      `INSERT INTO ${table} (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', 1) RETURNING role`;
    source.database.query(addMembership('team_members'), accountId, 'red');
    source.database.query(addMembership('other_memberships'), accountId, 'blue');
    const target = new MemoryInstance();
    const manifest = await target.import(await writeArchive(source, accountId));
    expect(
      target.database.query("SELECT share_visibility AS seen, team_id FROM tasks WHERE task_type = 'standard' ORDER BY id"),
    ).toEqual([
      { seen: 'private', team_id: null },
      { seen: 'private', team_id: null },
      { seen: 'public', team_id: null },
    ]);
    expect(manifest.enter_again.filter(({ kind }) => kind === 'team').map(({ id }) => id)).toEqual(['red', 'blue']);
  });

  it('keeps its workspaces though the sweeper looks for folders without tasks and measures folders meanwhile, and holds nothing afterwards', async () => {
    const { accountId, taskId, file } = await makeArchive();
    const target = new MemoryInstance();
    target.database.interference = {
      async before({ operation }) {
        if (operation !== 'accountArchives.importRows') return;
        target.database.interference = {};
        await target.sweeper.start();
        await target.clock.advance(soonMs);
        await target.sweeper.stop();
        await reconcileStorage(target, await target.workspaces.list(), () => true);
      },
    };
    await target.import(file);
    expect(await readText(target, accountId, taskId)).toBe('local');
    expect(target.database.query('SELECT bytes FROM workspace_use WHERE task_id = ?', taskId)).toEqual([{ bytes: 9 }]);
    expect(await target.database.run(findMissingTasks, [{ accountId, taskId: 'gone' }])).toHaveLength(1);
  });

  it('removes nothing if its rows may be stored: the database did not say so, or does not answer', async () => {
    for (const isDown of [false, true]) {
      const { accountId, taskId, file } = await makeArchive({ saved: 'saved', local: null });
      const target = new MemoryInstance();
      let isLost = false;
      target.database.interference = {
        before() {
          if (isLost && isDown) throw new Fault('unavailable', 'The database is not reachable.');
        },
        after({ operation }) {
          if (operation !== 'accountArchives.importRows') return;
          isLost = true;
          throw new Fault('unavailable', 'The connection was lost.');
        },
      };
      await expect(target.import(file)).rejects.toMatchObject({ code: 'unavailable' });
      target.database.interference = {};
      expect(await readText(target, accountId, taskId)).toBe('saved');
      const kept = target.database.query('SELECT id FROM blobs WHERE sweep_at IS NULL');
      expect([kept.length, target.blobStore.kept.size]).toEqual([1, 1]);
    }
  });

  it('that was killed can be repeated at once', async () => {
    const { accountId, taskId, file } = await makeArchive({ saved: 'saved' });
    const target = new MemoryInstance();
    // What a kill leaves: files announced and counted, a folder, and its size.
    await using archive = await ArchiveReader.open(file, 9999);
    const [{ name, bytes } = { name: '', bytes: 0 }] = archive.manifest.files.filter((entry) => entry.name.startsWith('files/'));
    const blobId = name.slice('files/'.length);
    await target.database.run(expectBlob, { accountId, blobId, graceMs: 99_999 });
    await target.blobStore.put(accountId, blobId, inPieces(Buffer.alloc(bytes)), 99_999);
    await target.database.run(recordBlob, { accountId, blobId, bytes, limit: null });
    await target.workspaces.open(accountId, taskId).write('b.txt', 'half');
    await target.database.run(recordWorkspaceUse, { accountId, taskId, bytes: 5, files: 1 });
    await target.import(file);
    expect(await readText(target, accountId, taskId)).toBe('saved');
    const stored = target.database.query(
      'SELECT blob_bytes, blobs, workspace_bytes FROM storage_use WHERE account_id = ?',
      accountId,
    );
    expect(stored).toEqual([{ blob_bytes: bytes, blobs: 1, workspace_bytes: 9 }]);
  });

  it('waits while the files of the account are being removed, and says so', async () => {
    const { accountId, file } = await makeArchive({ saved: 'saved' });
    const target = new MemoryInstance();
    target.database.interference = {
      before({ operation, args }) {
        const { blobId } = args as { blobId?: string };
        if (operation === 'accountArchives.expectBlob' && blobId)
          target.database.query('INSERT INTO blobs (account_id, id, sweep_at) VALUES (?, ?, 0) RETURNING id', accountId, blobId);
      },
    };
    await expect(target.import(file)).rejects.toMatchObject({ code: 'unavailable', message: /try again in a minute/ });
  });

  it('leaves packed workspaces packed', async () => {
    const { accountId, taskId, file } = await makeArchive({ saved: 'packed', local: null, isPacked: true });
    const target = new MemoryInstance();
    await target.import(file);
    expect(await target.workspaces.generation(accountId, taskId)).toBeNull();
    const save = await target.database.run(findWorkspaceSave, { accountId, taskId });
    expect([save?.packedBytes, target.blobStore.kept.size]).toEqual([9, 1]);
  });

  it('unpacks the newest copy where the folder is missing or older', async () => {
    for (const local of [null, 'older']) {
      const { accountId, taskId, file } = await makeArchive({ saved: 'newer', local });
      const target = new MemoryInstance();
      await target.import(file);
      expect(await readText(target, accountId, taskId)).toBe('newer');
      expect(await target.workspaces.generation(accountId, taskId)).toBe(1);
    }
  });

  it('makes copies of folders where tasks have several machines', async () => {
    const { accountId, taskId, file } = await makeArchive();
    const target = new MemoryInstance({ isAlone: false });
    await target.import(file);
    const save = await target.database.run(findWorkspaceSave, { accountId, taskId });
    expect(await target.workspaces.generation(accountId, taskId)).toBe(save?.generation);
    const { database, blobs, clock, log } = target;
    const elsewhere = { database, blobs, clock, log, workspaces: createWorkspaces(createFolder('elsewhere')) };
    await new WorkspaceKeeper(elsewhere).restore({ accountId, taskId });
    expect(await readText(elsewhere, accountId, taskId)).toBe('local');
    expect(target.database.query('SELECT owner FROM blob_refs WHERE account_id = ?', accountId)).toEqual([
      { owner: `workspace:${taskId}` },
    ]);
    expect(target.database.query('SELECT sweep_at FROM blobs')).toEqual([{ sweep_at: null }]);
  });
});

describe('an export of an account', () => {
  it('has no rows open while its files are downloaded', async () => {
    const source = new MemoryInstance();
    const accountId = await source.createAccount();
    const [taskId = ''] = await createTasks(source.database, accountId, 1);
    await source.workspaces.open(accountId, taskId).write('a.txt', newId(1));
    const pieces = source.export(accountId);
    for (let isFile = false; !isFile; ) {
      const { value } = await pieces.next();
      isFile = Buffer.from(value as Uint8Array).includes('workspaces/');
    }
    expect(source.readers).toBe(0);
    await pieces.return(undefined as never);
    expect(source.readers).toBe(0);
  });

  it('is refused before the first byte while the account is being deleted', async () => {
    const source = new MemoryInstance();
    const accountId = await source.createAccount();
    source.database.query("UPDATE accounts SET status = 'deleting' WHERE account_id = ? RETURNING 1", accountId);
    await expect(source.export(accountId).next()).rejects.toMatchObject({ code: 'not_found' });
    expect(source.readers).toBe(0);
  });
});
