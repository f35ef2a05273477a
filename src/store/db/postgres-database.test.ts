import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/support/db/postgres.ts';
import { claim, createTasks, newAccountId, nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { systemClock } from '@errand/base/clock.ts';
import { taskKey } from '@errand/base/signals/hints.ts';
import { createAccount } from '../accounts/accounts.ts';
import { renewLeases } from '../tasks/task-leases.ts';
import { releaseLeases } from '../tasks/lease-ends.ts';
import { createTask, getTask, messageTask, stopTask } from '../tasks/tasks.ts';
import { lastStep, type StoreOperation, selectAll, sql } from './store-operation.ts';
import { PostgresConnection } from './postgres-connection.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { openPostgres } from '../postgres-open.ts';

let url = '';
let one: PostgresDatabase;
let two: PostgresDatabase;
const direct = new pg.Client();
let admin = direct;

beforeAll(async () => {
  url = await createDatabase();
  [one, two] = await Promise.all([openPostgres(url, systemClock), openPostgres(url, systemClock)]);
  admin = new pg.Client({ connectionString: url });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await Promise.all([one.close(), two.close()]);
  await dropDatabase(url);
});

/** Cuts every connection of the service, like a restarting server. */
async function cutConnections(): Promise<void> {
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'errand'",
  );
}

async function countConnections(databaseUrl: string): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1';
  return (await admin.query<{ count: number }>(text, [new URL(databaseUrl).pathname.slice(1)])).rows[0]?.count ?? 0;
}

/** Retries like a caller until the connections are restored. */
async function retry<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === 20) throw error;
      expect(error).toMatchObject({ code: 'unavailable', retryAfterS: 1 });
    }
  }
}

describe('a PostgreSQL store', () => {
  it('goes on with a script whose step has no statements, alone and together with others', async () => {
    const idle: StoreOperation<number, number> = {
      name: 'test.idle',
      access: 'write',
      keys: (value) => [String(value)],
      *run(value) {
        yield [];
        const rows = yield* selectAll('SELECT ? AS value', String(value));
        yield [];
        return rows.length + value;
      },
    };
    expect(await one.run(idle, 1)).toBe(2);
    expect(await Promise.all(Array.from({ length: 20 }, (_, value) => one.run(idle, value)))).toEqual(
      Array.from({ length: 20 }, (_, value) => value + 1),
    );
  });

  it('commits with the last statements of a script, alone, together, and beside scripts that go on or fail', async () => {
    await admin.query('CREATE TABLE last_steps (id INTEGER PRIMARY KEY)');
    const write = (kind: 'last' | 'on'): StoreOperation<number, number> => ({
      name: `test.${kind}`,
      access: 'write',
      keys: (value) => [String(value)],
      *run(value) {
        yield* selectAll('SELECT ? AS value', String(value));
        const inserts = [sql('INSERT INTO last_steps (id) VALUES (?)', value)];
        yield kind === 'last' ? lastStep(inserts) : inserts;
        if (kind === 'on') yield* selectAll('SELECT ? AS value', String(value));
        return value;
      },
    });
    const [last, on] = [write('last'), write('on')];
    const listStored = async () =>
      (await admin.query<{ id: number }>('SELECT id FROM last_steps ORDER BY id')).rows.map(({ id }) => id);
    expect(await one.run(last, 0)).toBe(0);
    expect(await listStored()).toEqual([0]);
    await expect(one.run(last, 0)).rejects.toMatchObject({ code: 'internal' });
    const together = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(await Promise.all(together.map((value) => one.run(last, value)))).toEqual(together);
    const mixed = await Promise.allSettled(
      [21, 22, 5, 23].flatMap((value, index) => one.run(index % 2 === 0 ? last : on, value)),
    );
    expect(mixed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    const failing = await Promise.allSettled([24, 6, 25].map((value) => one.run(last, value)));
    expect(failing.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await listStored()).toEqual(Array.from({ length: 26 }, (_, value) => value));
  });

  it('at worst answers 503 while its connections are cut, loses nothing and repeats nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const samples = Array.from({ length: 40 }, () => sampleTask('a1'));
      const creating = samples.map((sample) =>
        one.run(createTask, sample).then(
          () => true,
          (error: unknown) => error,
        ),
      );
      await cutConnections();
      for (const [index, outcome] of (await Promise.all(creating)).entries()) {
        const sample = samples[index] ?? sampleTask('a1');
        if (outcome === true) expect((await retry(() => one.run(getTask, sample))).lastSeq).toBe(2);
        else expect(outcome).toMatchObject({ code: 'unavailable' });
      }
    }
    const { rows } = await admin.query(
      'SELECT 1 FROM tasks t WHERE last_seq <> (SELECT count(*) FROM events e WHERE e.task_id = t.id)',
    );
    expect(rows).toEqual([]);
  });

  it('never has more than eight connections, however often they are cut in the middle of work', async () => {
    const use = () =>
      Promise.all(Array.from({ length: 20 }, () => retry(() => createTasks(one, 'a1', 1)).then(() => retry(() => claim(one)))));
    for (let round = 0; round < 10; round += 1) {
      const using = use();
      await cutConnections();
      await using;
    }
    await use();
    expect(await countConnections(url)).toBeLessThanOrEqual(2 * 8);
  });

  it('renews leases while another of its transactions waits for a lock', async () => {
    const [taskId = ''] = await retry(() => createTasks(one, newAccountId(), 1));
    const lease = (await retry(() => claim(one))).find((task) => task.taskId === taskId);
    if (!lease) throw new Error('the task should have been claimed');
    const accountId = newAccountId();
    const account = { accountId, email: 'lock@example.com', plan: 'free', locale: 'en', createdAtMs: 1 } as const;
    await retry(() => one.run(createAccount, account));
    const slow: StoreOperation<null, number> = {
      name: 'test.slow',
      access: 'exclusive',
      *run() {
        return (yield* selectAll('SELECT account_id FROM accounts WHERE account_id = ? FOR UPDATE', accountId)).length;
      },
    };
    await admin.query('BEGIN');
    await admin.query('SELECT account_id FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
    const held = one.run(slow, null);
    const settled = held.catch(() => 'held up');
    const renewing = one.run(renewLeases, { workerId: 'w1', ttlMs: 60_000, leases: [lease] });
    const first = await Promise.race([renewing, settled]);
    await admin.query('COMMIT');
    expect(first).toEqual([taskId]);
    expect(await held).toBe(1);
  });

  it('sends hints to every process, and resumes after a disconnect', async () => {
    for (let round = 0; round < 2; round += 1) {
      const [taskId = ''] = await retry(() => createTasks(one, 'a1', 1));
      const hinted = vi.fn<() => void>();
      const end = two.hints.subscribe(taskKey(taskId), hinted);
      // A hint may be lost; whoever waits for one also looks from time to time, and here makes another.
      while (hinted.mock.calls.length === 0) {
        const message = { type: 'user_message', text: 'x', kind: 'text' } as const;
        await retry(() => one.run(messageTask, { accountId: 'a1', taskId, now: nextMs(), message, profile: null }));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(hinted).toHaveBeenCalled();
      end();
      await cutConnections();
    }
  });

  it('runs nothing more once it is closed, and opens no connection again', async () => {
    const clock = new TestClock();
    // A database of its own, to which nothing else connects.
    const ownUrl = await createDatabase();
    const database = await openPostgres(ownUrl, clock);
    const [taskId = ''] = await createTasks(database, 'a1', 1);
    const [lease] = await claim(database);
    await database.close();
    await vi.waitFor(async () => expect(await countConnections(ownUrl)).toBe(0), { timeout: 60_000 });
    await expect(database.run(getTask, { accountId: 'a1', taskId })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(database.run(stopTask, { accountId: 'a1', taskId, now: 1 })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(database.run(releaseLeases, { workerId: 'w1', leases: lease ? [lease] : [] })).rejects.toMatchObject({
      code: 'unavailable',
    });
    database.hints.publish({ topic: 'due' });
    await clock.advance(60_000);
    expect(await countConnections(ownUrl)).toBe(0);
    await dropDatabase(ownUrl);
  });
});

describe('a connection', () => {
  it('that a paused process leaves in a transaction is closed before leases expire', async () => {
    const connection = new PostgresConnection(url);
    const { rows } = await (await connection.get()).query('SHOW idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
    await connection.close();
  });

  it('that ends late does not discard its successor', async () => {
    const connection = new PostgresConnection(url);
    const first = await connection.get();
    first.emit('error', new Error('broken'));
    const second = await connection.get();
    expect(second).not.toBe(first);
    await first.end();
    expect(await connection.get()).toBe(second);
    await connection.close();
    await expect(connection.get()).rejects.toThrow('closed');
  });
});
