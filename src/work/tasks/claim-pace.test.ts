import { describe, expect, it } from 'vitest';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { ClaimPace } from './claim-pace.ts';

interface Requests {
  perMs: number;
  callers: number;
  /** Milliseconds that the event loop takes for the requests of a turn. */
  delayMs: number;
  /** How long they have arrived, in milliseconds; all in one turn. */
  spanMs?: number;
}

/** A pace that claimed last when the requests began to arrive. */
async function paceAfter({ perMs, callers, delayMs, spanMs = 20 }: Requests) {
  const clock = new TestClock();
  const gauge = new LoadGauge(clock, (endTurn) => void clock.setTimer(endTurn, delayMs));
  const pace = new ClaimPace(clock, gauge);
  await pace.giveWay();
  const connections = Array.from({ length: callers }, () => ({}));
  for (let count = 0; count < perMs * spanMs; count++) gauge.note(connections[count % callers] ?? {});
  await clock.advance(spanMs);
  return { clock, pace };
}

/** How many tasks a worker claims then, and how many milliseconds after its last claim. */
async function claimAfter(requests: Requests): Promise<{ tasks: number; afterMs: number }> {
  const { clock, pace } = await paceAfter(requests);
  const claims: number[] = [];
  void pace.giveWay().then((tasks) => claims.push(tasks));
  await clock.advance(0);
  let afterMs = requests.spanMs ?? 20;
  for (; claims.length === 0; afterMs++) await clock.advance(1);
  return { tasks: claims[0] ?? 0, afterMs };
}

describe('ClaimPace', () => {
  it.each([
    ['few requests arrive', { perMs: 0.05, callers: 10, delayMs: 50, spanMs: 200 }],
    ['a single caller asks without pause', { perMs: 5, callers: 1, delayMs: 50 }],
    ['the event loop keeps up', { perMs: 0.7, callers: 32, delayMs: 1, spanMs: 30 }],
  ])('claims many tasks at once while %s', async (_, requests: Requests) => {
    expect(await claimAfter(requests)).toMatchObject({ tasks: 64, afterMs: requests.spanMs ?? 20 });
    expect((await paceAfter(requests)).pace.isFlooded()).toBe(false);
  });

  it('claims fewer tasks the more requests of many callers there are, and always some', async () => {
    const claims = [];
    for (const perMs of [1, 2, 50]) claims.push((await claimAfter({ perMs, callers: 32, delayMs: 1 })).tasks);
    expect(claims).toEqual([19, 10, 6]);
  });

  it('claims fewer tasks, and then less often, the longer requests of many callers keep the event loop', async () => {
    const claims = [];
    for (const delayMs of [2, 3, 4, 40]) claims.push(await claimAfter({ perMs: 0.8, callers: 32, delayMs, spanMs: 20 }));
    claims.push(await claimAfter({ perMs: 0.2, callers: 32, delayMs: 1000, spanMs: 200 }));
    expect(claims).toEqual([
      { tasks: 24, afterMs: 20 },
      { tasks: 16, afterMs: 20 },
      { tasks: 12, afterMs: 20 },
      { tasks: 6, afterMs: 50 },
      { tasks: 6, afterMs: 250 },
    ]);
  });

  it('knows a flood on a slow machine, which takes few requests a second', async () => {
    expect((await paceAfter({ perMs: 0.2, callers: 32, delayMs: 100, spanMs: 100 })).pace.isFlooded()).toBe(true);
  });
});
