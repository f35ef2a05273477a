import { expect, it } from 'vitest';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import type { LoggedEvent } from '../../rules/events/task-event.ts';
import { readShown } from '../../store/events/events.ts';
import type { StreamContext } from '../contract/operation.ts';
import { followTask } from './task-event-feed.ts';

const lastSeq = 20;

/** A log of twenty messages; its pages are read when the test says so. */
class SlowLog {
  readonly backfills = new FairGate({ capacity: 2 });
  readonly asked: string[] = [];
  readonly #answers: (() => void)[] = [];

  /** Reads the log as this account, up to its end. */
  async follow(accountId: string, afterSeq: number): Promise<number> {
    const over = new AbortController();
    const options = { afterSeq, isVerbose: true, wantsDeltas: false };
    let count = 0;
    for await (const items of followTask(this.#contextOf(accountId), { accountId, taskId: 't' }, options, over.signal)) {
      count += items.length;
      if (count === lastSeq - afterSeq) over.abort();
    }
    return count;
  }

  async answer(): Promise<void> {
    this.#answers.shift()?.();
    await new Promise(setImmediate);
  }

  #contextOf(accountId: string): StreamContext {
    const read = async (operation: unknown, { fromSeq = 0, limit = 0 }: { fromSeq?: number; limit?: number }) => {
      if (operation !== readShown) return { lastSeq };
      this.asked.push(accountId);
      await new Promise<void>((resolve) => this.#answers.push(resolve));
      const count = Math.min(limit, lastSeq - fromSeq);
      const event = { type: 'user_message', text: 'hi', kind: 'text' } as const;
      return Array.from({ length: count }, (_, at): LoggedEvent => ({ seq: fromSeq + at + 1, atMs: 1, event }));
    };
    const subscribe = () => () => undefined;
    const isStillValid = () => Promise.resolve(true);
    const parts = { read, isStillValid, principal: { accountId }, backfills: this.backfills, clock: new TestClock(), urls: {} };
    return { ...parts, hints: { subscribe }, deltas: { subscribe } } as unknown as StreamContext;
  }
}

it('streams of one account read what is long past one page at a time; those of another, and what is new, do not wait for them', async () => {
  const log = new SlowLog();
  const readers = [log.follow('a', 0), log.follow('a', 0), log.follow('a', 0)];
  await new Promise(setImmediate);
  expect(log.asked).toEqual(['a']);
  readers.push(log.follow('b', 0), log.follow('a', lastSeq - 2));
  await new Promise(setImmediate);
  expect(log.asked.toSorted()).toEqual(['a', 'a', 'b']);
  let isOver = false;
  const counts = Promise.all(readers).finally(() => (isOver = true));
  while (!isOver) await log.answer();
  expect(await counts).toEqual([lastSeq, lastSeq, lastSeq, lastSeq, 2]);
});
