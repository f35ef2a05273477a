import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { type Log, silentLog } from '@errand/base/log.ts';
import type { Database } from '../../src/store/db/database.ts';
import { deleteExpiredTask, listAccountsAfter, listExpiredTasks } from '../../src/store/tasks/expired-tasks.ts';
import { RetentionWorker } from '../../src/work/tasks/retention-worker.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addInstanceKey, addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { eventually } from '../support/service/service-client.ts';

const dayMs = 86_400_000;
const retentionMs = 30 * dayMs;

describeStores('the retention of tasks', (store) => {
  /** A task of an account as it looks some days after its end. */
  async function createEnded(api: ApiUnderTest, daysAgo: number, status = 'stopped'): Promise<string> {
    const id = await api.createTask();
    const atMs = Date.now() - daysAgo * dayMs;
    // Its id says when it was created.
    const old = newId(atMs - dayMs);
    for (const table of ['events', 'artifacts', 'folded_states']) {
      await store.query(`UPDATE ${table} SET task_id = ? WHERE task_id = ?`, old, id);
    }
    await store.query(
      'UPDATE tasks SET id = ?, status = ?, wake_at = NULL, lease_owner = NULL, updated_at = ?, last_event_at = ? WHERE id = ?',
      ...[old, status, atMs, atMs, id],
    );
    return old;
  }

  function build(database: Database = store.database, log: Log = silentLog) {
    const clock = new TestClock(Date.now());
    return { clock, worker: new RetentionWorker({ database, clock, log, retentionMs }) };
  }

  const readIds = async (query: string) => new Set((await store.query(query)).map(({ id }) => String(id)));
  /** Without the conversations of agents that every account has. */
  const taskIds = () => readIds("SELECT id FROM tasks WHERE task_type <> 'agent_main'");

  /** Runs a turn of each of these workers to its end. */
  async function work(...databases: Database[]): Promise<number> {
    const lines: number[] = [];
    const problems: object[] = [];
    const noteProblem = (facts: object) => void problems.push(facts);
    const info = ({ deleted = 0 }: { deleted?: number }) => void lines.push(deleted);
    const log = { debug: info, info, warn: noteProblem, error: noteProblem } as unknown as Log;
    const workers = databases.map((database) => build(database, log).worker);
    await store.query("DELETE FROM instance WHERE name = 'retention_turn_ends_at'");
    await Promise.all(workers.map((worker) => worker.start()));
    await eventually('a turn was taken', async () =>
      (await store.query("SELECT value FROM instance WHERE name = 'retention_turn_ends_at'")).length > 0 ? true : null,
    );
    await eventually('nothing old is left', async () => {
      expect(problems).toEqual([]);
      const [row] = await store.query('SELECT COUNT(*) AS left_over FROM tasks WHERE title = ?', 'to be deleted');
      return Number(row?.left_over) === 0 ? true : null;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
    return lines.reduce((sum, count) => sum + count, 0);
  }

  const markForDeletion = (...ids: string[]) =>
    Promise.all(ids.map((id) => store.query('UPDATE tasks SET title = ? WHERE id = ?', 'to be deleted', id)));

  it('ends with everything of the tasks that ended before it, in all accounts, and with nothing of others', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await using other = await ApiUnderTest.start(store.database, { owner: await addOwner(store.database) });
    const gone = [await createEnded(api, 31), await createEnded(api, 400, 'error'), await createEnded(other, 31)];
    const stays = [await createEnded(api, 29), await createEnded(other, 0), await api.createTask()];
    await markForDeletion(...gone);
    expect(await work(store.database)).toBe(3);
    expect(await taskIds()).toEqual(new Set(stays));
    for (const id of await readIds('SELECT task_id AS id FROM events')) expect(gone).not.toContain(id);
  });

  it('spares what runs or waits, what a schedule or trigger talks to, agents, published websites, and parents of running subtasks', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId } = api.owner;
    const names = ['running', 'waiting', 'scheduled', 'triggered', 'main', 'website', 'parent', 'renamed'] as const;
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, await createEnded(api, 100));
    const set = (name: (typeof names)[number], change: string) =>
      store.query(`UPDATE tasks SET ${change} WHERE id = ?`, ids.get(name) ?? '');
    await set('running', "status = 'running', wake_at = 1");
    await set('waiting', "status = 'waiting'");
    await set('main', "task_type = 'agent_main'");
    await set('renamed', `updated_at = ${Date.now()}`);
    const { body } = await api.call('schedule.create', {
      ...{ name: 'S', message: 'Go on.', interval_seconds: 3600, conversation: 'same' },
    });
    const scheduleId = (body.schedule as { id: string }).id;
    await store.query('UPDATE schedules SET task_id = ? WHERE id = ?', ids.get('scheduled') ?? '', scheduleId);
    const made = await api.call('trigger.create', { name: 'T', message_template: '{{body}}', verification: { type: 'none' } });
    const triggerId = (made.body.trigger as { id: string }).id;
    await store.query('UPDATE triggers SET task_id = ? WHERE id = ?', ids.get('triggered') ?? '', triggerId);
    await store.query(
      `INSERT INTO websites (account_id, id, task_id, space, title, visibility, publish_status, published_version, status_updated_at, created_at)
       VALUES (?, ?, ?, 'space', 'W', 'public', 'published', '1', 1, 1)`,
      ...[accountId, newId(1), ids.get('website') ?? ''],
    );
    const child = await api.createTask();
    await store.query('UPDATE tasks SET parent_id = ?, depth = 1 WHERE id = ?', ids.get('parent') ?? '', child);
    const witness = await createEnded(api, 100);
    await markForDeletion(witness);
    expect(await work(store.database)).toBe(1);
    const main = ids.get('main') ?? '';
    expect(await taskIds()).toEqual(new Set([...ids.values(), child].filter((id) => id !== main)));
    expect(await readIds(`SELECT id FROM tasks WHERE id = '${main}'`)).toEqual(new Set([main]));
    for (const taskId of ids.values()) {
      expect(await store.database.run(deleteExpiredTask, { accountId, taskId, retentionMs })).toBe(false);
    }
  });

  it('is shorter or longer for an account that has its own, shorter for a project, and needs none of the instance', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await using other = await ApiUnderTest.start(store.database, { owner: await addOwner(store.database) });
    await using third = await ApiUnderTest.start(store.database, { owner: await addOwner(store.database) });
    const key = await addInstanceKey(store.database);
    const quota = (accountId: string, days: number | null) =>
      api.call('instance.updateAccount', { account_id: accountId, quotas: { retention_days: days } }, { key });
    expect((await quota(api.owner.accountId, 10)).body.account).toMatchObject({ quotas: { retention_days: 10 } });
    await quota(other.owner.accountId, 1000);
    const project = async (days: number) => {
      const { body } = await third.call('project.create', { name: 'P', retention_days: days });
      return (body.project as { id: string; retention_days: number }).id;
    };
    const [short, usual] = [await project(5), await project(0)];
    const inProject = async (id: string, daysAgo: number) => {
      const task = await createEnded(third, daysAgo);
      await store.query('UPDATE tasks SET project_id = ? WHERE id = ?', id, task);
      return task;
    };
    const gone = [
      await createEnded(api, 11),
      await inProject(short, 6),
      await inProject(usual, 31),
      await createEnded(third, 31),
    ];
    const stays = [
      await createEnded(api, 9),
      await createEnded(other, 500),
      await inProject(short, 4),
      await inProject(usual, 29),
    ];
    await markForDeletion(...gone);
    expect(await work(store.database)).toBe(4);
    expect(await taskIds()).toEqual(new Set(stays));
    // Without one of the instance, only those accounts are looked through.
    const found = await store.database.run(listAccountsAfter, { afterAccount: '', retentionMs: null, limit: 10 });
    expect(new Map(found.map(({ accountId, shortestMs }) => [accountId, shortestMs / dayMs]))).toEqual(
      new Map([
        [api.owner.accountId, 10],
        [other.owner.accountId, 1000],
        [third.owner.accountId, 5],
      ]),
    );
    expect((await third.call('project.update', { project_id: short, retention_days: 0 })).body.project).toMatchObject({
      retention_days: 0,
    });
    await quota(api.owner.accountId, null);
    await quota(other.owner.accountId, null);
    expect(await store.database.run(listAccountsAfter, { afterAccount: '', retentionMs: null, limit: 10 })).toEqual([]);
  });

  it('reads accounts and their tasks in pages of a fixed size', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { accountId } = api.owner;
    expect(await store.database.run(listAccountsAfter, { afterAccount: '', retentionMs, limit: 1 })).toEqual([
      { accountId, shortestMs: retentionMs },
    ]);
    expect(await store.database.run(listAccountsAfter, { afterAccount: accountId, retentionMs, limit: 1 })).toEqual([]);
    const [first, recent] = [await createEnded(api, 60), await createEnded(api, 59)];
    await store.query('UPDATE tasks SET updated_at = ? WHERE id = ?', Date.now(), recent);
    const page = (afterId: string) =>
      store.database.run(listExpiredTasks, {
        accountId,
        afterId,
        beforeId: newId(Date.now() - retentionMs),
        retentionMs,
        limit: 1,
      });
    expect(await page('')).toEqual({ taskIds: [first], nextId: first });
    expect(await page(first)).toEqual({ taskIds: [], nextId: recent });
    expect(await page(recent)).toEqual({ taskIds: [], nextId: null });
  });

  it('deletes each task once, however many processes look, and takes one turn an hour', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const gone = await Promise.all(Array.from({ length: 30 }, () => createEnded(api, 40)));
    await markForDeletion(...gone);
    expect(await work(store.database, ...store.others)).toBe(30);
    const late = await createEnded(api, 40);
    const { clock, worker } = build();
    await worker.start();
    await clock.advance(30 * 60_000);
    await worker.stop();
    expect(await taskIds()).toEqual(new Set([late]));
  });

  it('continues a turn that failed within minutes', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const gone = await createEnded(api, 40);
    await store.query("DELETE FROM instance WHERE name = 'retention_turn_ends_at'");
    let failures = 0;
    const database = Object.create(store.database, {
      run: {
        value: (...[operation, args]: Parameters<Database['run']>) => {
          if (operation.name !== listAccountsAfter.name || failures > 0) return store.database.run(operation, args);
          failures += 1;
          return Promise.reject(new Error('the database restarts'));
        },
      },
    }) as Database;
    const { clock, worker } = build(database);
    await worker.start();
    await eventually('the turn has failed', () => Promise.resolve(worker.state.failure === null ? null : true));
    expect(await taskIds()).toEqual(new Set([gone]));
    await clock.advance(60_000);
    await eventually('it succeeds', () => Promise.resolve(worker.state.failure === null ? true : null));
    await worker.stop();
    expect(await taskIds()).toEqual(new Set());
  });
});
