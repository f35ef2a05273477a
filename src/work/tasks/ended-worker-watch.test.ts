import { expect, it } from 'vitest';
import { silentLog } from '@errand/base/log.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { claim, createTasks, newAccountId } from '../../../test/support/db/store-samples.ts';
import { EndedWorkerWatch, type WorkerPresence } from './ended-worker-watch.ts';

/** A server that has the sessions of these workers. */
class FakePresence implements WorkerPresence {
  readonly present = new Set(['session-self']);
  serverAgeMs = 60_000;
  waits = 0;
  #end: () => void = () => undefined;

  async listPresent() {
    const next = this.present.size > 1 ? 7 : null;
    return { has: (workerId: string) => this.present.has(workerId), next, serverAgeMs: this.serverAgeMs };
  }

  waitForEnd(_worker: number, signal: AbortSignal): Promise<boolean> {
    this.waits += 1;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    signal.addEventListener('abort', () => resolve(false));
    this.#end = () => resolve(true);
    return promise;
  }

  end(workerId: string): void {
    this.present.delete(workerId);
    this.#end();
  }
}

describeStores('the watch over ended workers', (store) => {
  async function begin(present: string[], serverAgeMs = 60_000) {
    const clock = new TestClock();
    const presence = new FakePresence();
    presence.serverAgeMs = serverAgeMs;
    for (const workerId of present) presence.present.add(workerId);
    const watch = new EndedWorkerWatch({ database: store.database, presence, clock, log: silentLog });
    await watch.start();
    return { clock, presence, watch };
  }

  /** A task of that worker. */
  async function hold(workerId: string): Promise<string> {
    const [taskId = ''] = await createTasks(store.database, newAccountId(), 1);
    expect(await claim(store.database, { workerId, ttlMs: 600_000 })).toMatchObject([{ taskId }]);
    return taskId;
  }

  /** Leases are ten minutes long. */
  async function isDue(taskId: string): Promise<boolean> {
    const [row] = await store.query('SELECT wake_at FROM tasks WHERE id = ?', taskId);
    return Number(row?.wake_at) < Date.now() + 300_000;
  }

  /** Until what the clock started is done. */
  async function advanceUntil(clock: TestClock, isDone: () => Promise<boolean>): Promise<void> {
    await expect
      .poll(async () => {
        await clock.advance(100);
        return isDone();
      })
      .toBe(true);
  }

  it('ends the leases of a worker whose session has ended, and of no other', async () => {
    const [lost, kept, pooled] = [await hold('session-a'), await hold('session-b'), await hold('c')];
    const { clock, presence, watch } = await begin(['session-a', 'session-b']);
    await advanceUntil(clock, async () => presence.waits === 1);
    expect(await isDue(lost)).toBe(false);
    presence.end('session-a');
    await advanceUntil(clock, () => isDue(lost));
    expect([await isDue(kept), await isDue(pooled)]).toEqual([false, false]);
    expect(await claim(store.database, { workerId: 'session-b' })).toMatchObject([{ taskId: lost, crashes: 1 }]);
    await watch.stop();
  });

  it('ends the leases of a worker that died before anybody watched', async () => {
    const lost = await hold('session-d');
    const { clock, presence, watch } = await begin([]);
    await advanceUntil(clock, () => isDue(lost));
    expect(presence.waits).toBe(0);
    await watch.stop();
  });

  it('leaves a worker its tasks that has a session again in time', async () => {
    const kept = await hold('session-e');
    const { clock, presence, watch } = await begin(['session-e']);
    await advanceUntil(clock, async () => presence.waits === 1);
    presence.end('session-e');
    presence.present.add('session-e');
    await advanceUntil(clock, async () => presence.waits === 2);
    expect(await isDue(kept)).toBe(false);
    await watch.stop();
  });

  it('waits for sessions to return when the server has just started', async () => {
    const [kept, lost] = [await hold('session-f'), await hold('session-g')];
    const { clock, presence, watch } = await begin([], 1000);
    presence.present.add('session-h');
    await advanceUntil(clock, async () => presence.waits === 1);
    expect([await isDue(kept), await isDue(lost)]).toEqual([false, false]);
    presence.present.add('session-f');
    presence.serverAgeMs = 60_000;
    await clock.advance(9000);
    await advanceUntil(clock, () => isDue(lost));
    expect(await isDue(kept)).toBe(false);
    await watch.stop();
  });
});
