import { globSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import type { TaskKey } from '../../src/store/events/task-key.ts';
import { listPackedWorkspaces, type PackedPage } from '../../src/store/tasks/packed-workspaces.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { ageTasks, findFolder, queryStore } from '../support/files/aged-tasks.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';

const mb = 1024 * 1024;

describeStores('the packed workspaces of an instance', (store) => {
  /** Copies of workspaces of two accounts; each third is of a folder that is there. */
  async function fill(count: number, bytes: number): Promise<string[]> {
    const accounts = [newId(1), newId(2)];
    const packed: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const [accountId, taskId, isPacked] = [accounts[at % 2] ?? '', newId(1000 + at), at % 3 > 0];
      await store.query(
        "INSERT INTO workspace_saves (account_id, task_id, generation, blob_id, saved_at, packed_bytes) VALUES (?, ?, 2, 'b', 1, ?)",
        ...[accountId, taskId, isPacked ? bytes : null],
      );
      if (isPacked) packed.push(`${accountId} ${taskId}`);
    }
    return packed.toSorted();
  }

  async function unpackAll(): Promise<Json[]> {
    await using api = await ApiUnderTest.start(store.database);
    const pages: Json[] = [];
    for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const body = cursor === undefined ? {} : { cursor };
      const answer = await api.http.inject({ method: 'POST', path: '/admin/operator.unpackWorkspaces', body });
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      pages.push(answer.body);
      cursor = answer.body.next_cursor;
    }
    return pages;
  }

  it('are listed once each, in the order of their keys, however small the pages are', async () => {
    await store.query('DELETE FROM workspace_saves');
    const packed = await fill(20, 7);
    const seen: string[] = [];
    for (let after: TaskKey | null = null, isFirst = true; isFirst || after; isFirst = false) {
      const page: PackedPage = await store.database.run(listPackedWorkspaces, { after, limit: 3 });
      expect(page.packed.every(({ bytes }) => bytes === 7)).toBe(true);
      seen.push(...page.packed.map(({ accountId, taskId }) => `${accountId} ${taskId}`));
      after = page.end;
    }
    expect(seen).toEqual(packed);
  });

  it('are unpacked in parts of 50, or of 256 MB of archives', async () => {
    await store.query('DELETE FROM workspace_saves');
    const packed = await fill(300, 1);
    const many = await unpackAll();
    expect(many.map(({ unpacked }) => unpacked)).toEqual([50, 50, 50, 50]);
    expect(packed).toHaveLength(200);
    await store.query('DELETE FROM workspace_saves');
    await fill(9, 200 * mb);
    expect((await unpackAll()).map(({ unpacked }) => unpacked)).toEqual([2, 2, 2]);
  });

  it('have no part that begins elsewhere than another has ended', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (const cursor of ['', 'here', 'one two three']) {
      const { body } = await api.http.inject({ method: 'POST', path: '/admin/operator.unpackWorkspaces', body: { cursor } });
      expect(body.error).toMatchObject({ code: 'invalid_argument', param: 'cursor' });
    }
  });
});

describe.each(['sqlite', 'postgres'])('errand workspace unpack-all (%s)', (engine) => {
  const urls: string[] = [];
  afterAll(async () => {
    for (const url of urls) await dropDatabase(url);
  });

  /** A service that has stopped after it packed the workspaces of tasks, each of which has written a note. */
  async function packNotes(names: readonly string[]) {
    const databaseUrl = engine === 'sqlite' ? null : await createDatabase();
    if (databaseUrl !== null) urls.push(databaseUrl);
    const env = {
      ERRAND_SECRET: 'a secret that is long enough',
      ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }),
    };
    const service = await LocalService.start({ env });
    const { dataDir } = service;
    const store = { dataDir, databaseUrl };
    const client = new ServiceClient(service);
    const tasks: string[] = [];
    for (const name of names) {
      const taskId = await client.createTask(`write notes/${name}.md with Hello from ${name}`);
      await client.follow(taskId, isEnd);
      tasks.push(taskId);
    }
    const folders = tasks.map((taskId) => findFolder(dataDir, taskId) ?? '');
    await service.stop();
    await ageTasks(store, folders);
    await service.restart();
    await service.waitForLog(({ msg, packed }) => msg === 'workspaces of quiet tasks were packed' && packed === names.length);
    await service.stop();
    expect(tasks.map((taskId) => findFolder(dataDir, taskId))).toEqual(names.map(() => null));
    const findArchive = async (taskId: string) => {
      const [row] = await queryStore(store, `SELECT blob_id FROM workspace_saves WHERE task_id = '${taskId}'`);
      const [archive = ''] = globSync(`blobs/**/${String(row?.blob_id)}`, { cwd: dataDir }).map((name) => join(dataDir, name));
      return archive;
    };
    const cli = new CliUnderTest({ ...env, ERRAND_DATA_DIR: dataDir });
    return { service, store, tasks, folders, findArchive, cli };
  }

  it.runIf(engine === 'postgres')('refuses what no version needs, and what a running task could lose by it', async () => {
    const { service, tasks, cli } = await packNotes(['one']);
    await using stopped = service;
    const { code, stderr } = await cli.run(['workspace', 'unpack-all']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('With PostgreSQL, workspaces need not be unpacked');
    expect(findFolder(stopped.dataDir, tasks[0] ?? '')).toBe(null);
  });

  it.runIf(engine === 'sqlite')(
    'brings every folder back, beside a service or without one, and fails with the tasks of archives that are gone or unreadable',
    async () => {
      const { service, store, tasks, folders, findArchive, cli } = await packNotes(['one', 'two', 'three', 'four']);
      await using running = service;
      const [, gone = '', unreadable = ''] = tasks;
      const archives = [await findArchive(gone), await findArchive(unreadable)];
      for (const archive of archives) renameSync(archive, `${archive}.away`);
      // A link to itself cannot be opened, also by root.
      symlinkSync(archives[1] ?? '', archives[1] ?? '');
      const first = await cli.run(['workspace', 'unpack-all']);
      expect(first).toMatchObject({ code: 1, stdout: 'unpacked 2 workspaces; 2 could not be unpacked' });
      expect(first.stderr).toContain(`task ${gone} of account`);
      expect(first.stderr).toMatch(new RegExp(`task ${unreadable} of account .*cannot be read`));
      const read = (at: number, name: string) => readFileSync(join(folders[at] ?? '', `notes/${name}.md`), 'utf8').trim();
      expect([read(0, 'one'), read(3, 'four')]).toEqual(['Hello from one', 'Hello from four']);

      for (const archive of archives) renameSync(`${archive}.away`, archive);
      await running.restart();
      expect(await cli.runJson(['workspace', 'unpack-all'])).toEqual({ unpacked: 2, failures: 0, failed: [], code: 0 });
      expect([read(1, 'two'), read(2, 'three')]).toEqual(['Hello from two', 'Hello from three']);
      expect(await queryStore(store, 'SELECT task_id FROM workspace_saves WHERE packed_bytes IS NOT NULL')).toEqual([]);
      expect(await cli.runJson(['workspace', 'unpack-all'])).toMatchObject({ unpacked: 0, failures: 0 });
    },
  );
});
