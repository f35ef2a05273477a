import { describe, expect, it } from 'vitest';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { ClaimPace } from './claim-pace.ts';

interface Requests {
  perMs: number;
  callers: number;
  /** Milliseconds that the event loop takes for the requests of a turn. */
  delayMs: number;
}

/** A pace whose last claim was 10 ms ago, after so many requests during 100 ms. */
async function paceAfter({ perMs, callers, delayMs }: Requests) {
  const clock = new TestClock();
  let nowMs = 0;
  const loop = { now: () => nowMs, atEndOfTurn: (end: () => void) => void ends.push(end) };
  const ends: (() => void)[] = [];
  const gauge = new LoadGauge(loop);
  const pace = new ClaimPace(clock, gauge);
  await clock.advance(90);
  await pace.giveWay();
  await clock.advance(10);
  const connections = Array.from({ length: callers }, () => ({}));
  for (let count = 0; count < perMs * 100; count++) gauge.note(connections[count % callers] ?? {});
  nowMs += delayMs;
  for (const end of ends) end();
  return { clock, pace };
}

/** How many tasks a worker claims then, and how many milliseconds after its last claim; it claims at once when 10 have passed. */
async function claimAfter(requests: Requests): Promise<{ tasks: number; afterMs: number }> {
  const { clock, pace } = await paceAfter(requests);
  const claims: number[] = [];
  void pace.giveWay().then((tasks) => claims.push(tasks));
  await clock.advance(0);
  let afterMs = 10;
  for (; claims.length === 0; afterMs++) await clock.advance(1);
  return { tasks: claims[0] ?? 0, afterMs };
}

describe('ClaimPace', () => {
  it.each([
    ['few requests arrive', { perMs: 0.05, callers: 10, delayMs: 50 }],
    ['a single caller asks without pause', { perMs: 5, callers: 1, delayMs: 50 }],
    ['the event loop keeps up', { perMs: 5, callers: 32, delayMs: 1 }],
  ])('claims many tasks at once while %s', async (_, requests) => {
    expect(await claimAfter(requests)).toEqual({ tasks: 64, afterMs: 10 });
    expect((await paceAfter(requests)).pace.isFlooded()).toBe(false);
  });

  it('claims fewer tasks, and then less often, the longer requests of many callers keep the event loop', async () => {
    const claims = [];
    for (const delayMs of [2, 3, 4, 20, 1000]) claims.push(await claimAfter({ perMs: 0.2, callers: 32, delayMs }));
    expect(claims).toEqual([
      { tasks: 12, afterMs: 20 },
      { tasks: 8, afterMs: 20 },
      { tasks: 6, afterMs: 20 },
      { tasks: 6, afterMs: 100 },
      { tasks: 6, afterMs: 250 },
    ]);
  });

  it('knows a flood on a slow machine, which takes few requests a second', async () => {
    expect((await paceAfter({ perMs: 0.2, callers: 32, delayMs: 100 })).pace.isFlooded()).toBe(true);
  });
});
