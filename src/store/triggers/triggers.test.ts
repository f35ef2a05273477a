import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import { addTrigger } from '../../../test/support/triggers/sample-trigger.ts';
import { taskKey } from '@errand/base/signals/hints.ts';
import { getTask } from '../tasks/tasks.ts';
import { dedupeTtlMs, deleteExpiredTriggerKeys, type FireTriggerArgs, fireTrigger } from './fire-trigger.ts';
import { getTriggerEvent, listTriggerEvents, recordTriggerEvent } from './trigger-events.ts';
import { findTrigger, getTrigger, updateTrigger } from './triggers.ts';

describeStores('the triggers of the store', (store) => {
  const add = async () => {
    const [accountId, now] = [newAccountId(), nextMs()];
    const triggerId = newId(now);
    await addTrigger(store.database, { accountId, triggerId, now });
    return { accountId, triggerId };
  };
  type Key = Awaited<ReturnType<typeof add>>;
  const firing = (key: Key, dedupeKey: string | null = 'd'): FireTriggerArgs => {
    const start = sampleTask(key.accountId);
    const { now } = start;
    const event = { id: newId(now), cause: 'delivery' as const, notes: [], headers: {}, body: '{}', bodyBytes: 2, now };
    return { ...key, dedupeKeys: dedupeKey === null ? [] : [dedupeKey], start, followUp: null, event };
  };
  const countRows = async (table: string, { accountId }: Key) =>
    (await store.query(`SELECT COUNT(*) AS count FROM ${table} WHERE account_id = ?`, accountId))[0]?.count;

  it('start one task for an id that thirty processes are sent at once', async () => {
    const key = await add();
    const databases = [store.database, ...store.others];
    const fired = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (databases[index % 3] ?? store.database).run(fireTrigger, firing(key))),
    );
    expect(fired.filter(({ outcome }) => outcome === 'started')).toHaveLength(1);
    expect(new Set(fired.map(({ taskId }) => taskId)).size).toBe(1);
    expect(await countRows('tasks', key)).toBe(1);
    expect(await countRows('trigger_events', key)).toBe(30);
  });

  it('wake a worker for what they start, and store nothing if it cannot start', async () => {
    const key = await add();
    const args = firing(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = store.database.hints.subscribe(taskKey(args.start.taskId), resolve);
    const { taskId } = await store.database.run(fireTrigger, args);
    await promise;
    end();
    const again = { ...firing(key, 'other'), start: { ...args.start, taskId } };
    await expect(store.database.run(fireTrigger, again)).rejects.toThrow();
    expect([await countRows('tasks', key), await countRows('trigger_events', key)]).toEqual([1, 1]);
    expect(await countRows('trigger_keys', key)).toBe(1);
  });

  it('continue one conversation, whose task is known after its first message', async () => {
    const key = await add();
    const args = firing(key, null);
    const { accountId, now, message } = args.start;
    const followUp = { accountId, now, message, profile: null };
    const first = await store.database.run(fireTrigger, { ...args, followUp });
    const second = await store.database.run(fireTrigger, { ...firing(key, null), followUp });
    expect([second.taskId, second.created, second.isWoken]).toEqual([first.taskId, null, false]);
    expect((await store.database.run(getTrigger, key)).taskId).toBe(first.taskId);
    expect((await store.database.run(getTask, { accountId, taskId: first.taskId })).lastSeq).toBe(3);
  });

  it('forget ids after a week', async () => {
    const key = await add();
    const args = firing(key);
    await store.database.run(fireTrigger, args);
    const sweep = (now: number) => store.database.run(deleteExpiredTriggerKeys, { now, limit: 10 });
    expect([await sweep(args.event.now + dedupeTtlMs - 1), await sweep(args.event.now + dedupeTtlMs)]).toEqual([0, 1]);
    expect(await store.database.run(fireTrigger, firing(key))).toMatchObject({ outcome: 'started' });
  });

  it('change only from what the caller has read', async () => {
    const key = await add();
    const { updatedAtMs: knownAtMs } = await store.database.run(getTrigger, key);
    const change = { ...key, settings: { name: 'New' }, knownAtMs, now: knownAtMs };
    const changes = await Promise.allSettled([1, 2, 3].map(() => store.database.run(updateTrigger, change)));
    expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(store.database.run(updateTrigger, change)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keep what was refused in order, of a trigger that still exists', async () => {
    const key = await add();
    const { event } = firing(key);
    const refused = { ...event, ...key, outcome: 'refused', taskId: null, problem: 'no', body: null } as const;
    await store.database.run(recordTriggerEvent, refused);
    await store.database.run(recordTriggerEvent, { ...refused, id: newId(nextMs()), triggerId: newId(nextMs()) });
    expect(await store.database.run(listTriggerEvents, { ...key, beforeId: null, limit: 9 })).toHaveLength(1);
    expect(await store.database.run(getTriggerEvent, { accountId: key.accountId, eventId: event.id })).toMatchObject({
      problem: 'no',
    });
    expect(await store.database.run(findTrigger, { type: 'http', tokenDigest: 'unknown' })).toBeNull();
  });
});
