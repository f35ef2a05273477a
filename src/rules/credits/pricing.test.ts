import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, creditsOf, meterEvents } from './pricing.ts';
import type { TaskEvent } from '../events/task-event.ts';

const usage = { input: 0, output: 0, cached: 0 };
const started = (estimatedCost?: number): TaskEvent => ({
  type: 'model_started',
  step: 1,
  attempt: 1,
  model: 'test/one',
  estimatedInput: 1,
  ...(estimatedCost !== undefined && { estimatedCost }),
});
const finished = (cost?: number): TaskEvent => ({
  type: 'model_finished',
  step: 1,
  parts: [],
  usage,
  ...(cost !== undefined && { cost }),
});
const failed = (cost: number): TaskEvent => ({
  type: 'extract_failed',
  attempt: 1,
  reason: 'x',
  isMisfit: true,
  retryAt: 0,
  usage,
  cost,
});

/** The meter of a whole log, appended in pieces. */
function meter(pieces: readonly (readonly TaskEvent[])[]): number {
  let [cost, open] = [0, 0];
  for (const events of pieces) {
    const change = meterEvents(events);
    cost += (change.chargesOpen ? open : 0) + change.cost;
    open = change.open ?? open;
  }
  return cost + open;
}

describe('the price of a call', () => {
  it('depends on its tokens', () => {
    expect(costOf({ input: 1000, output: 100, cached: 0 }, { input: 300, output: 1500 })).toBe(450_000);
    expect(costOf({ input: 1000, output: 0, cached: 400 }, { input: 300, output: 1500, cached: 30 })).toBe(192_000);
    expect(costOf({ input: 1000, output: 0, cached: 400 }, { input: 300, output: 1500 })).toBe(300_000);
    expect(costOf({ input: 1, output: 0, cached: 9 }, { input: 2, output: 1, cached: 0 })).toBe(0);
    const claude = { input: 200, output: 1000, cached: 10, written: 250 };
    expect(costOf({ input: 1000, output: 10, cached: 600, written: 300 }, claude)).toBe(20_000 + 6000 + 75_000 + 10_000);
    expect(costOf({ input: 1000, output: 0, cached: 600, written: 900 }, claude)).toBe(6000 + 100_000);
    expect(costOf({ input: 1000, output: 0, cached: 0, written: 1000 }, { input: 3, output: 1 })).toBe(3000);
    expect(costOf({ input: 1000, output: 1000, cached: 0 }, null)).toBe(0);
    expect(costOf({ input: 1, output: 1, cached: 0 }, { input: 0.1, output: 0.1 })).toBe(1);
  });

  it('is rounded up to whole credits per session, at least one', () => {
    expect([0, 1, 999_999, 1_000_000, 1_000_001, 5_000_000].map(creditsOf)).toEqual([1, 1, 1, 1, 2, 5]);
  });
});

describe('the meter of a session', () => {
  it('counts a call by usage, and a call without an outcome by estimate', () => {
    expect(meter([[started(7)], [finished(5)]])).toBe(5);
    expect(meter([[started(7)], [started(8)], [finished(5)]])).toBe(12);
    expect(meter([[started(7)]])).toBe(7);
    expect(meter([[started(7)], [finished()]])).toBe(7);
    expect(meter([[started(7)], [failed(3)], [started(4)], [finished(2)]])).toBe(5);
  });

  it('is free for logs of the first version', () => {
    expect(meter([[started()], [finished()], [started()]])).toBe(0);
  });

  it('charges every call once, however the log is split', () => {
    const call = fc.record({ estimate: fc.nat(100), end: fc.option(fc.nat(100)) });
    fc.assert(
      fc.property(fc.array(call), fc.infiniteStream(fc.boolean()), (calls, cuts) => {
        const events = calls.flatMap(({ estimate, end }) => [started(estimate), ...(end === null ? [] : [finished(end)])]);
        const pieces: TaskEvent[][] = [[]];
        for (const event of events) {
          if (cuts.next().value) pieces.push([]);
          pieces.at(-1)?.push(event);
        }
        const expected = calls.reduce((sum, { estimate, end }) => sum + (end ?? estimate), 0);
        expect(meter(pieces)).toBe(expected);
      }),
    );
  });
});
