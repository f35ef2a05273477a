import { expect, it } from 'vitest';
import pg from 'pg';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { systemClock } from '@errand/base/clock.ts';
import { describeStores, type OpenStore } from '../../../test/support/db/databases.ts';
import { createMigratedDatabase, dropDatabase } from '../../../test/support/db/postgres.ts';
import { createTasks, newAccountId, sampleTask } from '../../../test/support/db/store-samples.ts';
import type { Database } from './database.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { ScanSlots } from './scan-slots.ts';
import { type SearchTasksArgs, searchTasks } from '../tasks/task-search.ts';
import { createTask, getTask } from '../tasks/tasks.ts';

function search(accountId: string, text: string): SearchTasksArgs {
  return {
    accountId,
    afterId: null,
    order: 'desc',
    sortBy: 'updated_at',
    texts: [text],
    statuses: null,
    createdFromMs: null,
    createdUntilMs: null,
    projectId: null,
    limit: 10,
  };
}

/** An account with one task whose messages take long to search. */
async function createTalkative({ database, query }: OpenStore): Promise<string> {
  const accountId = newAccountId();
  const [taskId = ''] = await createTasks(database, accountId, 1);
  await query(
    `WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
     INSERT INTO events (account_id, task_id, seq, at, type, audience, body)
     SELECT ?, ?, n.i, 1, 'user_message', 1, ? FROM n`,
    accountId,
    taskId,
    JSON.stringify({ text: 'w'.repeat(2000), kind: 'text' }),
  );
  return accountId;
}

describeStores('costly reads', (store) => {
  it('of one account delay neither the writes and reads of others nor their searches', async () => {
    const [hostile, honest] = [await createTalkative(store), newAccountId()];
    const ended: string[] = [];
    const note = (what: string) => () => void ended.push(what);
    const flood = Array.from({ length: 12 }, () =>
      // On a busy machine the last ones wait so long that they are refused.
      store.database.run(searchTasks, search(hostile, 'absent')).then(note('flood'), note('refusal')),
    );
    // So that the flood is under way, not in one batch with what follows.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const task = sampleTask(honest, { title: 'Findable' });
    await store.database.run(createTask, task).then(note('create'));
    await store.database.run(getTask, task).then(note('read'));
    const found = await store.database.run(searchTasks, search(honest, 'findable'));
    note('search')();
    await Promise.all(flood);
    expect(found.map(({ id }) => id)).toEqual([task.taskId]);
    expect(ended.indexOf('read')).toBeLessThanOrEqual(2);
    expect(ended.indexOf('search')).toBeLessThanOrEqual(5);
  });

  it('see every write that was acknowledged before they were requested', async () => {
    const accountId = newAccountId();
    for (let count = 1; count <= 20; count += 1) {
      const task = sampleTask(accountId, { title: 'Findable' });
      await store.database.run(createTask, task);
      const found = await store.database.run(searchTasks, { ...search(accountId, 'findable'), limit: 100 });
      expect(found).toHaveLength(count);
    }
  });

  it('that are under way when the store is closed are answered', async () => {
    const accountId = await createTalkative(store);
    const { openStore } = await import('../../../test/support/db/databases.ts');
    const other = await openStore(store.engine);
    await createTasks(other.database, accountId, 1);
    const answers = Promise.all([1, 2, 3].map(() => other.database.run(searchTasks, search(accountId, 'title'))));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const closing = other.close();
    expect((await answers).map((found) => found.length)).toEqual([1, 1, 1]);
    await closing;
  });
});

it('a search on PostgreSQL that takes too long is ended with a clear error, and the next one is answered', async () => {
  const url = await createMigratedDatabase();
  const database: Database = new PostgresDatabase(url, systemClock, { scanLimitMs: 50 });
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE');
  await expect(database.run(searchTasks, search('a1', 'x'))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The search took too long; narrow it, for example to a project or a period.',
  });
  await blocker.query('ROLLBACK');
  await blocker.end();
  expect(await database.run(searchTasks, search('a1', 'x'))).toEqual([]);
  await database.close();
  await dropDatabase(url);
});

it('a search that waits too long for others of its account is refused, and what runs goes on', async () => {
  const clock = new TestClock();
  const slots = new ScanSlots(clock);
  const { promise: end, resolve: finish } = Promise.withResolvers<string>();
  const running = slots.run('a1', () => end);
  const waiting = slots.run('a1', () => Promise.resolve('second'));
  const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 1 });
  expect(await slots.run('a2', () => Promise.resolve('other'))).toBe('other');
  await clock.advance(10_000);
  await refused;
  finish('first');
  expect(await running).toBe('first');
});
