import { describe, expect, it } from 'vitest';
import { say } from '../../../test/support/tasks/agent-under-test.ts';
import { WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { sampleTask } from '../../../test/support/db/store-samples.ts';
import { createTask } from '../../store/tasks/tasks.ts';
import { claimWhenCreated, CreationSlots } from './creation-slots.ts';

/** A service whose worker has so many slots; `operations` are those of the store since it was idle. */
async function open(concurrency: number, reply = () => say('Done.')) {
  const workers = new WorkersUnderTest(reply);
  const slots = new CreationSlots();
  const database = claimWhenCreated(workers.database, slots);
  const worker = workers.makeWorker(concurrency);
  slots.open(worker);
  await worker.start();
  await workers.clock.advance(0);
  const operations: string[] = [];
  workers.database.interference = { before: ({ operation }) => void operations.push(operation) };
  return { workers, worker, database, operations };
}

const keyOf = (accountId: string) => ({ accountId, key: 'k1', operation: 'task.create', bodyDigest: 'd', now: 0 });
const claims = (operations: readonly string[]) => operations.filter((name) => name === 'leases.claim').length;

describe('a worker with a free slot', () => {
  it('takes a new task in the transaction that creates it', async () => {
    const { workers, worker, database, operations } = await open(2);
    const sample = sampleTask('a1');
    await database.run(createTask, sample);
    await workers.clock.advance(0);
    expect(operations).toEqual(['tasks.create', 'leases.append', 'leases.append']);
    expect(await workers.readStatus('a1', sample.taskId)).toBe('stopped');
    await worker.stop();
  });

  it('begins a task once, however often the request that created it is repeated', async () => {
    const { workers, worker, database } = await open(4);
    const sample = sampleTask('a1');
    const first = await database.runOnce(createTask, sample, keyOf('a1'));
    const again = await database.runOnce(createTask, sampleTask('a1'), keyOf('a1'));
    await workers.clock.advance(0);
    expect([first.isReplay, again.isReplay]).toEqual([false, true]);
    expect(workers.model.requests).toHaveLength(1);
    // The slot that was kept for the repetition is free again.
    const more = Array.from({ length: 4 }, () => sampleTask('a2'));
    for (const one of more) await database.run(createTask, one);
    await workers.clock.advance(0);
    for (const { taskId } of more) expect(await workers.readStatus('a2', taskId)).toBe('stopped');
    await worker.stop();
  });

  it('leaves tasks beyond its slots in the queue, and runs them later', async () => {
    const ends: (() => void)[] = [];
    const held = () => new Promise<ReturnType<typeof say>>((resolve) => ends.push(() => resolve(say('Done.'))));
    const { workers, worker, database } = await open(2, held as never);
    const samples = Array.from({ length: 3 }, () => sampleTask('a1'));
    for (const sample of samples) await database.run(createTask, sample);
    await workers.clock.advance(0);
    expect(ends).toHaveLength(2);
    expect(worker.heldTasks).toBe(2);
    for (let ended = 0; ended < 3; ended += 1) {
      ends[ended]?.();
      await workers.clock.advance(0);
    }
    for (const { taskId } of samples) expect(await workers.readStatus('a1', taskId)).toBe('stopped');
    await worker.stop();
  });

  it('does not let new tasks overtake those that wait', async () => {
    const { workers, worker, database, operations } = await open(8);
    await worker.stop();
    await worker.start();
    // The worker has not looked into the queue since it started.
    await database.run(createTask, sampleTask('a1'));
    await workers.clock.advance(0);
    expect(claims(operations)).toBeGreaterThan(0);
    await worker.stop();
  });

  it('gives the slot back if the task cannot be created', async () => {
    const { workers, worker, database } = await open(1);
    workers.takeStoreAway();
    await expect(database.run(createTask, sampleTask('a1'))).rejects.toThrow('temporarily unavailable');
    workers.bringStoreBack();
    const sample = sampleTask('a1');
    await workers.clock.advance(1000);
    await database.run(createTask, sample);
    await workers.clock.advance(1000);
    expect(await workers.readStatus('a1', sample.taskId)).toBe('stopped');
    await worker.stop();
  });

  it('returns a task that is created while it stops', async () => {
    const { workers, worker, database } = await open(1);
    const arrived = Promise.withResolvers<void>();
    const created = Promise.withResolvers<void>();
    workers.database.interference = {
      after: ({ operation }) => {
        if (operation !== createTask.name) return;
        arrived.resolve();
        return created.promise;
      },
    };
    const sample = sampleTask('a1');
    const creating = database.run(createTask, sample);
    await arrived.promise;
    const stopping = worker.stop();
    created.resolve();
    await creating;
    await stopping;
    const [row] = workers.database.query('SELECT status, lease_owner FROM tasks WHERE id = ?', sample.taskId);
    expect(row).toEqual({ status: 'running', lease_owner: null });
    expect(workers.model.requests).toHaveLength(0);
  });
});
