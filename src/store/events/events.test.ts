import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, newAccountId } from '../../../test/support/db/store-samples.ts';
import { taskLogs } from '../../../test/support/tasks/task-logs.ts';
import { audienceOf, audiences } from '../../rules/events/present.ts';
import { getTask } from '../tasks/tasks.ts';
import { readConversations } from './conversations.ts';
import { insertEvents, readLastSeqs, readLog, readShown } from './events.ts';
import { readLogPage } from './sized-page.ts';
import { readShownPage } from './shown-page.ts';

const task = { accountId: 'a1', taskId: 't1' };
const orders = ['asc', 'desc'] as const;

describeStores('the log of a task', (store) => {
  /** Stores a log directly, bypassing the operations, which only append. */
  const storeLog = async (
    batches: { seq: number; atMs: number; event: Parameters<typeof insertEvents>[4][number] }[][],
    taskId = 't1',
  ) => {
    for (const batch of batches) {
      const first = batch[0];
      if (!first) continue;
      const statement = insertEvents(
        'a1',
        taskId,
        first.seq,
        first.atMs,
        batch.map(({ event }) => event),
      );
      await store.query(statement.sql, ...statement.params);
    }
  };

  it('ends in what was said last, for each of several tasks', async () => {
    const unbounded = { maxBytesEach: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };
    const said = ['user_message', 'assistant_message', 'error'];
    await fc.assert(
      fc.asyncProperty(taskLogs(40), fc.integer({ min: 1, max: 20 }), async (batches, limit) => {
        await store.query('DELETE FROM events');
        await storeLog(batches);
        await storeLog(batches.slice(0, 2), 't2');
        const lastOf = (logged: typeof batches) =>
          logged
            .flat()
            .filter(({ event }) => said.includes(event.type) && audienceOf(event.type) === audiences.everyone)
            .map(({ seq }) => seq)
            .toReversed()
            .slice(0, limit);
        const read = await store.database.run(readConversations, {
          accountId: 'a1',
          taskIds: ['t2', 't1', 'missing'],
          limit,
          ...unbounded,
        });
        expect(read.map((log) => log.map(({ seq }) => seq))).toEqual([lastOf(batches.slice(0, 2)), lastOf(batches), []]);
        const others = await store.database.run(readConversations, { accountId: 'a2', taskIds: ['t1'], limit, ...unbounded });
        expect(others).toEqual([[]]);
      }),
      { numRuns: 30 },
    );
  });

  it('ends in bytes that are bounded for each of several tasks and for all, whatever was said in them', async () => {
    const say = async (taskId: string, sizes: readonly number[]) => {
      const events = sizes.map((size) => ({ type: 'user_message', text: 'w'.repeat(size), kind: 'text' }) as const);
      await storeLog([events.map((event, index) => ({ seq: index + 1, atMs: index, event }))], taskId);
    };
    await say('t1', [10, 300, 300, 300]);
    await say('t2', [300, 10, 90_000]);
    await say('t3', [10, 10]);
    await say('t4', [10]);
    const taskIds = ['t1', 'missing', 't2', 't3', 't4'];
    const seqsIn = async (bounds: { maxBytesEach: number; maxBytes: number }, ids = taskIds) => {
      const read = await store.database.run(readConversations, { accountId: 'a1', taskIds: ids, limit: 50, ...bounds });
      return read.map((log) => log.map(({ seq }) => seq));
    };
    expect(await seqsIn({ maxBytesEach: 600, maxBytes: 10_000 })).toEqual([[4, 3], [], [3]]);
    expect(await seqsIn({ maxBytesEach: 600, maxBytes: 1 })).toEqual([[4, 3]]);
    expect(await seqsIn({ maxBytesEach: 600, maxBytes: 10_000 }, ['t3', 't4'])).toEqual([[2, 1], [1]]);
    expect(await seqsIn({ maxBytesEach: 600, maxBytes: 1_000_000 })).toEqual([[4, 3], [], [3], [2, 1], [1]]);
  });

  it('is read in pages that join to exactly the log, in both directions, for every reader', async () => {
    await fc.assert(
      fc.asyncProperty(taskLogs(40), fc.integer({ min: 1, max: 20 }), async (batches, limit) => {
        await store.query('DELETE FROM events');
        await storeLog(batches);
        await storeLog(batches.slice(0, 2), 't2');
        const seqs = batches.flat().map(({ seq }) => seq);
        const whole: number[] = [];
        for (let page = await store.database.run(readLog, { ...task, afterSeq: 0, limit }); page.length > 0; ) {
          whole.push(...page.map(({ seq }) => seq));
          page = await store.database.run(readLog, { ...task, afterSeq: whole.at(-1) ?? 0, limit });
        }
        expect(whole).toEqual(seqs);
        for (const isVerbose of [true, false]) {
          const shown = batches.flat().filter(({ event }) => {
            const audience = audienceOf(event.type);
            return audience === audiences.everyone || (isVerbose && audience === audiences.verbose);
          });
          for (const order of orders) {
            const read: number[] = [];
            for (let fromSeq: number | null = null; ; ) {
              const page: { seq: number }[] = await store.database.run(readShown, { ...task, order, isVerbose, fromSeq, limit });
              read.push(...page.map(({ seq }) => seq));
              if (page.length < limit) break;
              fromSeq = page.at(-1)?.seq ?? null;
            }
            const expected = shown.map(({ seq }) => seq);
            expect(read).toEqual(order === 'asc' ? expected : expected.toReversed());
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it('is read in pages that end with the event that reaches the bytes of a page, and say whether more follow', async () => {
    const sizes = [10, 9000, 20, 60_000, 9000, 9000, 9000, 30, 40, 9000];
    const said = sizes.map(
      (size, index) => ({ type: 'user_message', text: `${index} `.padEnd(size, 'w'), kind: 'text' }) as const,
    );
    await storeLog([said.map((event, index) => ({ seq: index + 1, atMs: index, event }))]);
    const first = { ...task, order: 'asc', isVerbose: false, fromSeq: 0, limit: 4, maxBytes: 20_000 } as const;
    const pages: number[][] = [];
    for (let page = await store.database.run(readShownPage, first); ; ) {
      pages.push(page.events.map(({ seq }) => seq));
      expect(page.events.map(({ event }) => event)).toEqual(page.events.map(({ seq }) => said[seq - 1]));
      if (!page.hasMore) break;
      page = await store.database.run(readShownPage, { ...first, fromSeq: page.events.at(-1)?.seq ?? 0 });
    }
    expect(pages).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
      [8, 9, 10],
    ]);
    const narrow = await store.database.run(readShownPage, { ...first, order: 'desc', fromSeq: null, maxBytes: 1 });
    expect(narrow).toMatchObject({ events: [{ seq: 10 }], hasMore: true });
  });

  it('is read in pages that no number of long events makes larger than one of them and a megabyte', async () => {
    await store.query('DELETE FROM events');
    const long = { type: 'user_message', text: 'é'.repeat(200_000), kind: 'text' } as const;
    const events = Array.from({ length: 40 }, (_, index) => ({ seq: index + 1, atMs: index + 1, event: long }));
    await storeLog([events]);
    const seqs: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await store.database.run(readLogPage, { ...task, afterSeq: seqs.at(-1) ?? 0 });
      expect(page.events.length).toBeLessThanOrEqual(3);
      seqs.push(...page.events.map(({ seq }) => seq));
      ({ hasMore } = page);
    }
    expect(seqs).toEqual(events.map(({ seq }) => seq));
    expect(await store.database.run(readLogPage, { ...task, afterSeq: 40 })).toEqual({ events: [], hasMore: false });
    expect((await store.database.run(readLogPage, { ...task, accountId: 'a2', afterSeq: 0 })).events).toEqual([]);
  });

  it('returns events as they were stored, with their times', async () => {
    const [batches] = fc.sample(taskLogs(40), 1);
    const log = (batches ?? []).map((batch) =>
      batch.map((logged, index) => ({ ...logged, atMs: (batch[0]?.atMs ?? 0) + index })),
    );
    await storeLog(log);
    expect(await store.database.run(readLog, { ...task, afterSeq: 0, limit: 1000 })).toEqual(log.flat());
  });

  it('of another account is empty', async () => {
    await storeLog(fc.sample(taskLogs(10), 1)[0] ?? []);
    expect(await store.database.run(readLog, { accountId: 'a2', taskId: 't1', afterSeq: 0, limit: 10 })).toEqual([]);
    const shown = { accountId: 'a2', taskId: 't1', order: 'desc', isVerbose: true, fromSeq: null, limit: 10 } as const;
    expect(await store.database.run(readShown, shown)).toEqual([]);
  });
});

describeStores('the numbers of last events', (store) => {
  it('are those of the tasks asked for, in this order, and null for what the account does not have', async () => {
    const accountId = newAccountId();
    const [first = '', second = '', third = ''] = await createTasks(store.database, accountId, 3);
    const { lastSeq } = await store.database.run(getTask, { accountId, taskId: second });
    const asked = [second, first, 'never', third].map((taskId) => ({ accountId, taskId }));
    const found = await store.database.run(readLastSeqs, [...asked, { accountId: newAccountId(), taskId: first }]);
    expect(found).toEqual([lastSeq, lastSeq, null, lastSeq, null]);
    expect(await store.database.run(readLastSeqs, [])).toEqual([]);
  });
});
