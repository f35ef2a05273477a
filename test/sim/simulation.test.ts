import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

describe('a simulated service', () => {
  // Fixed seeds; `node test/sim/main.ts` takes fresh ones. A seed that found a defect stays here.
  it.each([1, 2, 3, 4])('keeps every invariant through five hundred steps of seed %i, and becomes idle', async (seed) => {
    const { tally } = await simulate(seed, 500);
    expect(tally.get('create')).toBeGreaterThan(50);
    expect(tally.get('crash')).toBeGreaterThan(3);
  });

  it('is deterministic for a seed, to the last byte of the log', async () => {
    const [first, second] = [await simulate(7, 150), await simulate(7, 150)];
    expect(second.digest).toBe(first.digest);
    expect((await simulate(8, 150)).digest).not.toBe(first.digest);
  });
});
