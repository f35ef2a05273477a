import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { sampleTask } from '../../../test/support/db/store-samples.ts';
import { taskKey } from '@errand/base/signals/hints.ts';
import type { IdempotencyKey } from './database.ts';
import { deleteExpiredKeys, findRemembered, idempotencyTtlMs } from './idempotency-keys.ts';
import { createTask, messageTask } from '../tasks/tasks.ts';

const now = 1_800_000_000_000;
const key: IdempotencyKey = { accountId: 'a1', key: 'k', operation: 'task.create', bodyDigest: 'd1', now };

describeStores('an Idempotency-Key', (store) => {
  const create = (changes: Partial<IdempotencyKey> = {}, database = store.database, taskId?: string) =>
    database.runOnce(createTask, sampleTask('a1', taskId === undefined ? {} : { taskId }), { ...key, ...changes });
  const countTasks = async () => (await store.query('SELECT COUNT(*) AS count FROM tasks'))[0]?.count;

  it('used fifty times at once, in several processes, creates one task with the same response for all', async () => {
    const databases = [store.database, ...store.others];
    const answers = await Promise.all(Array.from({ length: 51 }, (_, index) => create({}, databases[index % 3])));
    expect(await countTasks()).toBe(1);
    expect(new Set(answers.map(({ result }) => result.id)).size).toBe(1);
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    const [first] = answers;
    for (const { result } of answers) expect(result).toEqual(first?.result);
  });

  it('publishes hints once', async () => {
    let hints = 0;
    // Its own key, because hints of earlier tests may still be in transit between the processes.
    const { taskId } = sampleTask('a1');
    const end = store.database.hints.subscribe(taskKey(taskId), () => {
      hints += 1;
    });
    await create({}, store.database, taskId);
    await create({}, store.database, taskId);
    end();
    expect(hints).toBe(1);
  });

  it('is rejected for another body or another operation, and keeps the first response', async () => {
    const { result } = await create();
    for (const changes of [{ bodyDigest: 'd2' }, { operation: 'task.sendMessage' }]) {
      await expect(create(changes)).rejects.toMatchObject({ code: 'invalid_argument', status: 400 });
    }
    expect((await create()).result).toEqual(result);
    expect(await countTasks()).toBe(1);
  });

  it('is found with its first response, by its own account and request alone, for a day', async () => {
    const find = (changes: Partial<IdempotencyKey> = {}) => store.database.run(findRemembered, { ...key, ...changes });
    expect(await find()).toBeNull();
    const { result } = await create();
    expect(await find()).toEqual({ result });
    expect(await find({ accountId: 'a2' })).toBeNull();
    await expect(find({ bodyDigest: 'd2' })).rejects.toMatchObject({ code: 'invalid_argument', status: 400 });
    expect(await find({ now: now + idempotencyTtlMs - 1 })).toEqual({ result });
    expect(await find({ now: now + idempotencyTtlMs })).toBeNull();
  });

  it('of another account is a different key', async () => {
    await create();
    expect(await create({ accountId: 'a2' })).toMatchObject({ isReplay: false });
    expect(await countTasks()).toBe(2);
  });

  it('expires after a day and not before', async () => {
    await create();
    expect(await create({ now: now + idempotencyTtlMs - 1 })).toMatchObject({ isReplay: true });
    expect(await create({ now: now + idempotencyTtlMs })).toMatchObject({ isReplay: false });
    expect(await create({ now: now + idempotencyTtlMs + 1, bodyDigest: 'd1' })).toMatchObject({ isReplay: true });
    expect(await countTasks()).toBe(2);
  });

  it('is not consumed by a failed request', async () => {
    const message = {
      accountId: 'a1',
      taskId: 'missing',
      now,
      message: { type: 'user_message', text: 'x', kind: 'text' } as const,
      profile: null,
    };
    const attempt = () => store.database.runOnce(messageTask, message, { ...key, operation: 'task.sendMessage' });
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.query('SELECT key FROM idempotency_keys')).toEqual([]);
    expect(await create()).toMatchObject({ isReplay: false });
  });

  it('that fails does not affect concurrent requests', async () => {
    const { result } = await create({ key: 'taken' });
    const calls = Array.from({ length: 30 }, (_, index) =>
      create({ key: `k${index}` }, store.database, index === 11 ? result.id : undefined),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([11]);
    expect(await countTasks()).toBe(30);
    expect(await store.query("SELECT key FROM idempotency_keys WHERE key = 'k11'")).toEqual([]);
  });

  it('is swept when it is old, in batches', async () => {
    for (let count = 0; count < 5; count += 1) await create({ key: `old${count}`, now: now - idempotencyTtlMs });
    await create();
    expect(await store.database.run(deleteExpiredKeys, { now, limit: 3 })).toBe(3);
    expect(await store.database.run(deleteExpiredKeys, { now, limit: 3 })).toBe(2);
    expect(await store.database.run(deleteExpiredKeys, { now, limit: 3 })).toBe(0);
    expect(await store.query('SELECT key FROM idempotency_keys')).toEqual([{ key: 'k' }]);
  });
});
