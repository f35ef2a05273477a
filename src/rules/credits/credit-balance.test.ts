import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyEntry,
  creditKinds,
  dayStart,
  findDueGrants,
  monthStart,
  nextRefreshMs,
  noCredits,
  sumCredits,
} from './credit-balance.ts';

const entry = fc.record({
  credits: fc.integer({ min: -1000, max: 1000 }),
  kind: fc.option(fc.constantFrom(...creditKinds)),
});

describe('a balance', () => {
  it('is always the sum of its entries, and only free credits can be negative', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const credits = entries.reduce(applyEntry, noCredits);
        expect(sumCredits(credits)).toBe(entries.reduce((sum, each) => sum + each.credits, 0));
        for (const kind of creditKinds) if (kind !== 'free') expect(credits[kind]).toBeGreaterThanOrEqual(0);
        if (credits.free < 0) expect(sumCredits(credits)).toBe(credits.free);
      }),
    );
  });

  it('is spent in the order in which credits expire', () => {
    const full = { refresh: 10, periodic: 10, event: 10, addon: 10, free: 10 };
    const use = (credits: number) => applyEntry(full, { credits: -credits, kind: null });
    expect(use(5)).toEqual({ ...full, refresh: 5 });
    expect(use(25)).toEqual({ ...full, refresh: 0, periodic: 0, event: 5 });
    expect(use(60)).toEqual({ ...noCredits, free: -10 });
    expect(applyEntry(use(60), { credits: 30, kind: 'addon' })).toEqual({ ...noCredits, addon: 20 });
  });
});

describe('the grant of a plan', () => {
  const plan = { monthly: 400, daily: 30 };
  const noon = Date.UTC(2026, 1, 28, 12);

  it('is due once per calendar month and day', () => {
    const [month, day] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 28)];
    expect([monthStart(noon), dayStart(noon)]).toEqual([month, day]);
    expect(findDueGrants(plan, { monthMs: 0, dayMs: 0 }, noon)).toEqual([
      { kind: 'periodic', fromMs: month, upTo: 400 },
      { kind: 'refresh', fromMs: day, upTo: 30 },
    ]);
    expect(findDueGrants(plan, { monthMs: month, dayMs: day }, noon)).toEqual([]);
    expect(findDueGrants(plan, { monthMs: month, dayMs: day }, noon + 12 * 3_600_000)).toMatchObject([
      { kind: 'periodic', fromMs: Date.UTC(2026, 2, 1) },
      { kind: 'refresh', fromMs: Date.UTC(2026, 2, 1) },
    ]);
    expect(nextRefreshMs(plan, noon)).toBe(Date.UTC(2026, 2, 1));
  });

  it('is not due again when the clock is set back, and never due if it is zero', () => {
    const granted = { monthMs: monthStart(noon), dayMs: dayStart(noon) };
    expect(findDueGrants(plan, granted, noon - 40 * 86_400_000)).toEqual([]);
    expect(findDueGrants({ monthly: 0, daily: 0 }, { monthMs: 0, dayMs: 0 }, noon)).toEqual([]);
    expect(nextRefreshMs({ monthly: 1, daily: 0 }, noon)).toBeNull();
  });

  it('is applied once per period, whenever and however often the balance is read', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200 * 24)), (hours) => {
        let granted = { monthMs: 0, dayMs: 0 };
        const given: string[] = [];
        for (const hour of hours) {
          for (const { kind, fromMs } of findDueGrants(plan, granted, noon + hour * 3_600_000)) {
            granted = kind === 'periodic' ? { ...granted, monthMs: fromMs } : { ...granted, dayMs: fromMs };
            given.push(`${kind} ${fromMs}`);
          }
        }
        expect(new Set(given).size).toBe(given.length);
      }),
    );
  });
});
