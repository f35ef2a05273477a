import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, classifyAttempt, planDeliveryRetry, retryDelaysMs } from './retry-schedule.ts';

const failed: AttemptOutcome = { status: 500, retryAfterMs: null };
const attempts = fc.integer({ min: 1, max: retryDelaysMs.length });
const chance = fc.double({ min: 0, max: 1, noNaN: true });
const failures = fc.constantFrom<number | null>(null, 100, 199, 300, 301, 400, 404, 429, 500, 503, 599);

function baseOf(attempt: number): number {
  return retryDelaysMs[attempt - 1] ?? Number.NaN;
}

describe('the schedule of attempts', () => {
  it('is the documented one: ten attempts in 75 h 35 min 5 s, without jitter', () => {
    const delays: number[] = [];
    for (
      let attempt = 1, delay = planDeliveryRetry(attempt, failed, 0.5);
      delay !== null;
      delay = planDeliveryRetry(++attempt, failed, 0.5)
    ) {
      delays.push(delay / 1000);
    }
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(delays.reduce((sum, delay) => sum + delay)).toBe(75 * 3600 + 35 * 60 + 5);
  });

  it('adds evenly distributed ±20 % jitter', () => {
    fc.assert(
      fc.property(attempts, chance, failures, (attempt, luck, status) => {
        const delay = planDeliveryRetry(attempt, { status, retryAfterMs: null }, luck) ?? Number.NaN;
        expect(delay).toBeGreaterThanOrEqual(Math.floor(baseOf(attempt) * 0.8));
        expect(delay).toBeLessThanOrEqual(Math.ceil(baseOf(attempt) * 1.2));
      }),
    );
    expect([0, 0.25, 0.5, 0.75, 1].map((luck) => planDeliveryRetry(2, failed, luck))).toEqual([
      240_000, 270_000, 300_000, 330_000, 360_000,
    ]);
  });

  it('honors Retry-After between the base and twice the base', () => {
    fc.assert(
      fc.property(attempts, chance, fc.nat({ max: 400_000_000 }), failures, (attempt, luck, retryAfterMs, status) => {
        const delay = planDeliveryRetry(attempt, { status, retryAfterMs }, luck);
        const base = baseOf(attempt);
        expect(delay).toBe(retryAfterMs < base ? base : retryAfterMs > 2 * base ? 2 * base : retryAfterMs);
      }),
    );
  });

  it('ends with success, with 410, and after the tenth attempt', () => {
    fc.assert(
      fc.property(attempts, chance, fc.integer({ min: 200, max: 299 }), (attempt, luck, status) => {
        expect(planDeliveryRetry(attempt, { status, retryAfterMs: 1000 }, luck)).toBeNull();
        expect(planDeliveryRetry(attempt, { status: 410, retryAfterMs: 1000 }, luck)).toBeNull();
        expect(planDeliveryRetry(retryDelaysMs.length + 1, failed, luck)).toBeNull();
      }),
    );
  });

  it('treats any 2xx as success, 410 as the end, and everything else as a failure', () => {
    expect([200, 204, 299].map(classifyAttempt)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(classifyAttempt(410)).toBe('gone');
    expect([null, 100, 199, 300, 302, 404, 500].map(classifyAttempt)).toEqual(Array.from({ length: 7 }, () => 'failed'));
  });
});
