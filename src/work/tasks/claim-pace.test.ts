import { describe, expect, it } from 'vitest';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { ClaimPace } from './claim-pace.ts';

/** How many tasks a worker claims after so many requests of so many callers in each of the last 100 ms. */
async function claimAfter({ perMs, callers }: { perMs: number; callers: number }): Promise<number> {
  const clock = new TestClock();
  const gauge = new LoadGauge();
  const pace = new ClaimPace(clock, gauge);
  await pace.giveWay();
  await clock.advance(100);
  const connections = Array.from({ length: callers }, () => ({}));
  for (let count = 0; count < perMs * 100; count++) gauge.note(connections[count % callers] ?? {});
  return pace.giveWay();
}

describe('ClaimPace', () => {
  it('claims many at once while few requests arrive, and beside a single caller who asks without pause', async () => {
    expect(await claimAfter({ perMs: 0.1, callers: 10 })).toBe(64);
    expect(await claimAfter({ perMs: 5, callers: 1 })).toBe(64);
  });

  it('claims fewer the more requests of many callers there are, and always some', async () => {
    const claims = [];
    for (const perMs of [1, 2, 50]) claims.push(await claimAfter({ perMs, callers: 32 }));
    expect(claims).toEqual([19, 10, 6]);
  });
});
