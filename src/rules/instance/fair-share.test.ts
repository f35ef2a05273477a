import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareSlots, type Sharer } from './fair-share.ts';

const accounts = fc.uniqueArray(
  fc.integer({ min: 0, max: 99 }).map((id) => `a${id}`),
  { minLength: 1, maxLength: 12 },
);
const holdings = fc.dictionary(
  fc.integer({ min: 0, max: 99 }).map((id) => `a${id}`),
  fc.nat({ max: 20 }),
);

/** Accounts of the same weight. */
function sharers(ids: readonly string[], held: Readonly<Record<string, number>>, most = Number.POSITIVE_INFINITY): Sharer[] {
  return ids.map((id) => ({ id, held: held[id] ?? 0, weight: 1, most }));
}

describe('shareSlots', () => {
  it('assigns every free slot, and only to the given accounts', () => {
    fc.assert(
      fc.property(accounts, holdings, fc.nat({ max: 200 }), (ids, held, free) => {
        const shares = shareSlots(sharers(ids, held), free);
        expect([...shares.values()].reduce((sum, count) => sum + count, 0)).toBe(free);
        expect([...shares.keys()].every((id) => ids.includes(id))).toBe(true);
        expect([...shares.values()].every((count) => Number.isInteger(count) && count > 0)).toBe(true);
      }),
    );
  });

  it('never puts an account that gets a slot two ahead of another', () => {
    fc.assert(
      fc.property(accounts, holdings, fc.nat({ max: 200 }), (ids, held, free) => {
        const shares = shareSlots(sharers(ids, held), free);
        const levels = ids.map((id) => ({ given: shares.get(id) ?? 0, level: (held[id] ?? 0) + (shares.get(id) ?? 0) }));
        const lowest = Math.min(...levels.map(({ level }) => level));
        for (const { given, level } of levels) if (given > 0) expect(level - lowest).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('never gives an account more than it may hold, and leaves no slot free that another may have', () => {
    fc.assert(
      fc.property(accounts, holdings, fc.nat({ max: 200 }), fc.integer({ min: 1, max: 30 }), (ids, held, free, mostEach) => {
        const shares = shareSlots(sharers(ids, held, mostEach), free);
        const slots = ids.map((id) => Math.max(0, mostEach - (held[id] ?? 0))).reduce((sum, count) => sum + count, 0);
        expect([...shares.values()].reduce((sum, count) => sum + count, 0)).toBe(Math.min(free, slots));
        for (const [id, given] of shares) expect((held[id] ?? 0) + given).toBeLessThanOrEqual(mostEach);
      }),
    );
  });

  it('never gives an account with more slots more than one with fewer', () => {
    fc.assert(
      fc.property(accounts, holdings, fc.nat({ max: 200 }), (ids, held, free) => {
        const shares = shareSlots(sharers(ids, held), free);
        for (const poor of ids) {
          for (const rich of ids) {
            if ((held[poor] ?? 0) < (held[rich] ?? 0))
              expect(shares.get(poor) ?? 0).toBeGreaterThanOrEqual(shares.get(rich) ?? 0);
          }
        }
      }),
    );
  });

  it('assigns nothing without accounts or without slots', () => {
    expect(shareSlots([], 5).size).toBe(0);
    expect(shareSlots(sharers(['a'], {}), 0).size).toBe(0);
    expect(shareSlots(sharers(['a'], {}), -1).size).toBe(0);
  });

  it('divides slots in the ratio of the weights, and gives every account one before any gets a second', () => {
    const weighted = [1, 2, 5].map((weight) => ({ id: `w${weight}`, held: 0, weight, most: 1000 }));
    expect(Object.fromEntries(shareSlots(weighted, 3))).toEqual({ w1: 1, w2: 1, w5: 1 });
    expect(Object.fromEntries(shareSlots(weighted, 80))).toEqual({ w1: 10, w2: 20, w5: 50 });
    const isAhead = weighted.map((sharer) => ({ ...sharer, held: sharer.weight === 5 ? 50 : 0 }));
    expect(Object.fromEntries(shareSlots(isAhead, 30))).toEqual({ w1: 10, w2: 20 });
  });
});
