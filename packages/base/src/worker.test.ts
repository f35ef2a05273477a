import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { Log } from './log.ts';
import { dueKey, LocalHints } from './signals/hints.ts';
import { Worker, type WorkerSchedule } from './worker.ts';

const pollMs = 1000;

/** Does what the test says in each round, and counts rounds and concurrency. */
class Rounds extends Worker {
  count = 0;
  most = 0;
  cuts = 0;
  act: () => Promise<boolean> = () => Promise.resolve(false);
  #now = 0;

  protected async work(): Promise<boolean> {
    this.count += 1;
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    try {
      return await this.act();
    } finally {
      this.#now -= 1;
    }
  }

  protected override cut(): void {
    this.cuts += 1;
  }

  beside(work: Promise<void>): void {
    this.track(work);
  }

  soon(delayMs: number): void {
    this.wakeIn(delayMs);
  }

  get ended(): AbortSignal {
    return this.signal;
  }
}

function openRounds(schedule: Partial<WorkerSchedule> = {}) {
  const clock = new TestClock();
  const hints = new LocalHints();
  const warnings: string[] = [];
  const log = { warn: (_: object, text: string) => warnings.push(text) } as unknown as Log;
  const hint = { hints, key: dueKey, ...schedule.hint };
  const worker = new Rounds({ name: 'rounds', clock, log, pollMs, failure: 'a round failed', ...schedule, hint });
  const report = () => hints.publish({ topic: 'due' });
  return { clock, hints, warnings, worker, report };
}

describe('the rounds of a worker', () => {
  it('are told of with their time, their length, and since when they fail', async () => {
    const { clock, worker } = openRounds();
    const untold = { failure: null, failingSinceMs: null };
    expect(worker.state).toEqual({ name: 'rounds', ranAtMs: null, tookMs: null, runningSinceMs: null, ...untold });
    const round = Promise.withResolvers<boolean>();
    worker.act = () => round.promise;
    const beganAt = clock.now();
    await worker.start();
    await clock.advance(7);
    expect(worker.state).toMatchObject({ ranAtMs: null, tookMs: null, runningSinceMs: beganAt });
    round.resolve(false);
    await clock.advance(0);
    expect(worker.state).toEqual({ name: 'rounds', ranAtMs: beganAt, tookMs: 7, runningSinceMs: null, ...untold });
    worker.act = () => Promise.reject(new Error('no database'));
    await clock.advance(pollMs);
    const failingSinceMs = worker.state.ranAtMs;
    await clock.advance(pollMs);
    expect(worker.state).toMatchObject({ tookMs: 0, failure: 'a round failed', failingSinceMs });
    expect(worker.state.ranAtMs).toBeGreaterThan(failingSinceMs ?? Infinity);
    worker.act = () => Promise.resolve(false);
    await clock.advance(pollMs);
    expect(worker.state).toMatchObject({ tookMs: 0, ...untold });
    const { ranAtMs } = worker.state;
    const hanging = Promise.withResolvers<boolean>();
    worker.act = () => hanging.promise;
    await clock.advance(pollMs);
    expect(worker.state).toMatchObject({ ranAtMs, tookMs: 0, runningSinceMs: (ranAtMs ?? 0) + pollMs, ...untold });
    hanging.resolve(false);
    await worker.stop();
  });

  it('run at the start, at each hint and at each poll', async () => {
    const { clock, worker, report } = openRounds();
    await worker.start();
    await clock.advance(0);
    expect(worker.count).toBe(1);
    report();
    await clock.advance(0);
    expect(worker.count).toBe(2);
    await clock.advance(3 * pollMs);
    expect(worker.count).toBe(5);
    await worker.stop();
  });

  it('run one at a time, and once more for all hints that arrive meanwhile', async () => {
    const { clock, worker, report } = openRounds();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    worker.act = () => promise;
    await worker.start();
    for (let count = 0; count < 20; count += 1) report();
    resolve(false);
    await clock.advance(0);
    expect(worker).toMatchObject({ count: 2, most: 1 });
    await worker.stop();
  });

  it('continue while more is due', async () => {
    const { clock, worker } = openRounds();
    worker.act = () => Promise.resolve(worker.count < 7);
    await worker.start();
    await clock.advance(0);
    expect(worker.count).toBe(7);
    await worker.stop();
  });

  it('wait for the next poll after one that fails, which is logged', async () => {
    const { clock, worker, warnings } = openRounds();
    worker.act = () => (worker.count === 1 ? Promise.reject(new Error('away')) : Promise.resolve(false));
    await worker.start();
    await clock.advance(pollMs - 1);
    expect([worker.count, warnings]).toEqual([1, ['a round failed']]);
    await clock.advance(1);
    expect([worker.count, warnings.length]).toEqual([2, 1]);
    await worker.stop();
  });

  it('run again within a minute after one that fails, however rare the polls are', async () => {
    const hourMs = 60 * 60_000;
    const { clock, worker } = openRounds({ pollMs: hourMs });
    worker.act = () => (worker.count === 1 ? Promise.reject(new Error('away')) : Promise.resolve(false));
    await worker.start();
    await clock.advance(60_000 - 1);
    expect(worker.count).toBe(1);
    await clock.advance(1);
    expect([worker.count, worker.state.failure]).toEqual([2, null]);
    await clock.advance(hourMs - 1);
    expect(worker.count).toBe(2);
    await worker.stop();
  });

  it('run once for all hints within the gathering time', async () => {
    const { hints, key } = { hints: new LocalHints(), key: dueKey };
    const { clock, worker } = openRounds({ hint: { hints, key, gatherMs: 200 } });
    await worker.start();
    for (let count = 0; count < 5; count += 1) hints.publish({ topic: 'due' });
    await clock.advance(199);
    expect(worker.count).toBe(0);
    await clock.advance(1);
    expect(worker.count).toBe(1);
    await worker.stop();
  });

  it('run at the earliest requested time', async () => {
    const { clock, worker } = openRounds();
    await worker.start();
    await clock.advance(0);
    for (const delayMs of [700, 50, 300]) worker.soon(delayMs);
    await clock.advance(49);
    expect(worker.count).toBe(1);
    await clock.advance(1);
    expect(worker.count).toBe(2);
    await worker.stop();
  });
});

describe('the stop of a worker', () => {
  it('waits for the round and for work beside it, and starts nothing new', async () => {
    const { clock, worker, report } = openRounds({ drainMs: 5000 });
    const [round, beside] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
    worker.act = () => round.promise;
    await worker.start();
    worker.beside(beside.promise);
    let isStopped = false;
    const stopping = worker.stop().then(() => (isStopped = true));
    report();
    round.resolve(true);
    await clock.advance(1000);
    expect([isStopped, worker.ended.aborted]).toEqual([false, false]);
    beside.resolve();
    await stopping;
    expect(worker.count).toBe(1);
    expect(clock.timerCount).toBe(0);
  });

  it.each([
    ['after the drain time', 5000],
    ['immediately without one', 0],
  ])('aborts work that does not end, %s', async (_, drainMs) => {
    const { clock, worker, warnings } = openRounds({ drainMs });
    worker.act = () =>
      new Promise((_resolve, reject) => worker.ended.addEventListener('abort', () => reject(worker.ended.reason as Error)));
    await worker.start();
    const stopping = worker.stop();
    await clock.advance(drainMs - 1);
    expect(worker.cuts).toBe(drainMs === 0 ? 1 : 0);
    await clock.advance(1);
    await stopping;
    expect(worker.cuts).toBe(1);
    expect(warnings).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });

  it('leaves nothing running, however often and concurrently it is called', async () => {
    const { clock, worker, report } = openRounds({ drainMs: 100 });
    worker.act = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return worker.count % 3 === 0;
    };
    for (let round = 0; round < 20; round += 1) {
      const changes = Array.from({ length: 50 }, (_, index) => {
        report();
        return index % 2 === 0 ? worker.start() : worker.stop();
      });
      await Promise.all(changes);
      expect(clock.timerCount).toBe(0);
      const { count } = worker;
      report();
      await clock.advance(2 * pollMs);
      expect(worker.count).toBe(count);
    }
    expect(worker.most).toBe(1);
    await Promise.all([worker.stop(), worker.start()]);
    const { count } = worker;
    report();
    await clock.advance(0);
    expect(worker.count).toBeGreaterThan(count);
    await worker.stop();
    expect(clock.timerCount).toBe(0);
  });
});
