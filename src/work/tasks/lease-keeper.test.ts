import { describe, expect, it, vi } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { claim, createClaimed, createTasks, nextMs } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Database } from '../../store/db/database.ts';
import { renewLeases } from '../../store/tasks/task-leases.ts';
import { deleteTask, stopTask } from '../../store/tasks/tasks.ts';
import { LeaseKeeper, leaseTiming } from './lease-keeper.ts';

const ttlMs = 15_000;
const timing = leaseTiming(ttlMs);
const cacheTtlMs = ttlMs - timing.marginMs;

async function openKeeper() {
  const clock = new TestClock();
  const database = new MemoryDatabase(clock);
  const keeper = new LeaseKeeper({ database, clock, log: silentLog, workerId: 'w1', timing });
  /** A task that the keeper holds, and a record of whether it was released. */
  const holdNew = async () => {
    const sentAt = clock.monotonic();
    const lease = await createClaimed(database, { ttlMs });
    const onLost = vi.fn<() => void>();
    keeper.hold(lease, sentAt, onLost);
    return { lease, onLost };
  };
  return { clock, database, keeper, holdNew };
}

/** Makes renewals fail, or never return, from now on. */
function breakRenewals(database: MemoryDatabase, how: 'fail' | 'hang'): void {
  database.interference.before = ({ operation }) => {
    if (operation !== renewLeases.name) return;
    if (how === 'fail') throw new Error('the store is away');
    return new Promise(() => undefined);
  };
}

describe('LeaseKeeper', () => {
  it('renews leases as long as they are held', async () => {
    const { clock, database, keeper, holdNew } = await openKeeper();
    const { lease, onLost } = await holdNew();
    await clock.advance(10 * ttlMs);
    expect(onLost).not.toHaveBeenCalled();
    expect(await claim(database, { workerId: 'w2' })).toEqual([]);
    keeper.drop(lease);
    expect(clock.timerCount).toBe(0);
    await clock.advance(ttlMs);
    expect(await claim(database, { workerId: 'w2' })).toHaveLength(1);
  });

  it.each(['fail', 'hang'] as const)('releases leases before the database does if renewals %s', async (how) => {
    const { clock, database, holdNew } = await openKeeper();
    const { onLost } = await holdNew();
    breakRenewals(database, how);
    await clock.advance(cacheTtlMs - 1);
    expect(onLost).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onLost).toHaveBeenCalledOnce();
    expect(await claim(database, { workerId: 'w2' })).toEqual([]);
    await clock.advance(timing.marginMs);
    expect(await claim(database, { workerId: 'w2' })).toHaveLength(1);
  });

  it('counts a lease from when the renewal is sent, not from the response', async () => {
    const { clock, database, holdNew } = await openKeeper();
    const { onLost } = await holdNew();
    const gate = Promise.withResolvers<void>();
    let count = 0;
    database.interference.after = async ({ operation }) => {
      if (operation !== renewLeases.name) return;
      count += 1;
      if (count === 1) await gate.promise;
      else throw new Error('the store is away');
    };
    await clock.advance(timing.renewEveryMs + 4000);
    gate.resolve();
    await clock.advance(cacheTtlMs - 4000 - 1);
    expect(onLost).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('ignores the response of a renewal after releasing the lease', async () => {
    const { clock, database, holdNew } = await openKeeper();
    const { onLost } = await holdNew();
    const gate = Promise.withResolvers<void>();
    database.interference.after = ({ operation }) => (operation === renewLeases.name ? gate.promise : undefined);
    await clock.advance(cacheTtlMs);
    expect(onLost).toHaveBeenCalledOnce();
    gate.resolve();
    await clock.advance(10 * ttlMs);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it.each([
    ['stopped', stopTask],
    ['deleted', deleteTask],
  ])('releases only the task that was %s, at the next renewal', async (_, operation) => {
    const { clock, database, holdNew } = await openKeeper();
    const [gone, kept] = [await holdNew(), await holdNew()];
    await database.run(operation as typeof stopTask, { ...gone.lease, now: nextMs() });
    await clock.advance(timing.renewEveryMs);
    expect(gone.onLost).toHaveBeenCalledOnce();
    await clock.advance(ttlMs);
    expect(kept.onLost).not.toHaveBeenCalled();
  });

  it('resumes after renewals that failed for a while', async () => {
    const { clock, database, holdNew } = await openKeeper();
    const { onLost } = await holdNew();
    breakRenewals(database, 'fail');
    await clock.advance(timing.renewEveryMs + 1);
    database.interference = {};
    await clock.advance(3 * ttlMs);
    expect(onLost).not.toHaveBeenCalled();
  });

  it('never uses a lease whose claim is confirmed too late', async () => {
    const { clock, database, keeper } = await openKeeper();
    const lease = await createClaimed(database, { ttlMs });
    const onLost = vi.fn<() => void>();
    keeper.hold(lease, clock.monotonic() - cacheTtlMs, onLost);
    await clock.advance(0);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('watches a lease that ends before those already held', async () => {
    const { clock, database, keeper, holdNew } = await openKeeper();
    const sentAt = clock.monotonic();
    await clock.advance(5000);
    await holdNew();
    breakRenewals(database, 'hang');
    const late = await createClaimed(database, { ttlMs });
    const onLost = vi.fn<() => void>();
    keeper.hold(late, sentAt, onLost);
    await clock.advance(cacheTtlMs - 5000);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('notifies the run of an earlier lease when its own worker claims the task again', async () => {
    const { clock, database, keeper, holdNew } = await openKeeper();
    const { lease, onLost } = await holdNew();
    // The wall clock of the store jumps, so that the lease has run out although this worker is alive.
    clock.jump(3_600_000);
    const [again] = await claim(database, { ttlMs });
    expect(again).toMatchObject({ taskId: lease.taskId, fence: lease.fence + 1 });
    const onLostAgain = vi.fn<() => void>();
    keeper.hold(again ?? lease, clock.monotonic(), onLostAgain);
    expect(onLost).toHaveBeenCalledOnce();
    keeper.drop(lease);
    await clock.advance(3 * ttlMs);
    expect(onLostAgain).not.toHaveBeenCalled();
    expect(await claim(database, { workerId: 'w2' })).toEqual([]);
  });

  it('is not affected by jumps of the wall clock', async () => {
    const { clock, database, holdNew } = await openKeeper();
    const { onLost } = await holdNew();
    breakRenewals(database, 'fail');
    clock.jump(-3_600_000);
    await clock.advance(cacheTtlMs - 1);
    clock.jump(7_200_000);
    expect(onLost).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('renews many leases with one write', async () => {
    const { clock, database, keeper } = await openKeeper();
    await createTasks(database, 'a1', 50);
    const sentAt = clock.monotonic();
    for (const lease of await claim(database, { ttlMs })) keeper.hold(lease, sentAt, () => undefined);
    let renewals = 0;
    database.interference.before = ({ operation }) => {
      if (operation === renewLeases.name) renewals += 1;
    };
    await clock.advance(timing.renewEveryMs);
    expect(renewals).toBe(1);
  });
});

describe('thousands of leases', () => {
  it('are renewed in several writes, none of which keeps others waiting for long', async () => {
    const clock = new TestClock();
    const written: number[] = [];
    const database = {
      run: (_: unknown, { leases }: { leases: { taskId: string }[] }) => {
        written.push(leases.length);
        return Promise.resolve(leases.map(({ taskId }) => taskId));
      },
    } as unknown as Database;
    const keeper = new LeaseKeeper({ database, clock, log: silentLog, workerId: 'w1', timing: leaseTiming(15_000) });
    const leases = Array.from({ length: 2500 }, (_, at) => ({ accountId: 'a1', taskId: `t${at}`, fence: 1 }));
    for (const lease of leases) keeper.hold(lease, clock.monotonic(), () => undefined);
    await clock.advance(leaseTiming(15_000).renewEveryMs);
    expect(written).toEqual([1024, 1024, 452]);
    for (const lease of leases) keeper.drop(lease);
    expect(clock.timerCount).toBe(0);
  });
});
