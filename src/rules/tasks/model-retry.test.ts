import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FailedCall, maxFailingMs, maxModelAttempts, planModelRetry } from './model-retry.ts';

const call: FailedCall = { attempt: 1, nowMs: 1_000_000, failingSinceMs: 1_000_000, retryAfterMs: undefined, chance: 0.5 };

describe('planModelRetry', () => {
  it('waits one second, then twice as long each time', () => {
    const waits = [1, 2, 3, 4].map((attempt) => (planModelRetry({ ...call, attempt }) ?? 0) - call.nowMs);
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
  });

  it('adds ±25 % jitter', () => {
    expect(planModelRetry({ ...call, chance: 0 })).toBe(call.nowMs + 750);
    expect(planModelRetry({ ...call, chance: 1 })).toBe(call.nowMs + 1250);
  });

  it('waits as long as the provider asks, if that is longer', () => {
    expect(planModelRetry({ ...call, retryAfterMs: 60_000 })).toBe(call.nowMs + 60_000);
    expect(planModelRetry({ ...call, retryAfterMs: 1 })).toBe(call.nowMs + 1000);
  });

  it('gives up after five calls, or when the next call would come more than two minutes after the first failure', () => {
    fc.assert(
      fc.property(
        fc.record({
          attempt: fc.integer({ min: 1, max: 8 }),
          nowMs: fc.constant(1_000_000),
          failingSinceMs: fc.integer({ min: 1_000_000 - 2 * maxFailingMs, max: 1_000_000 }),
          retryAfterMs: fc.option(fc.integer({ min: 0, max: 10 * maxFailingMs }), { nil: undefined }),
          chance: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        (failed) => {
          const retryAt = planModelRetry(failed);
          if (failed.attempt >= maxModelAttempts) expect(retryAt).toBeNull();
          if (retryAt === null) return;
          expect(retryAt - failed.failingSinceMs).toBeLessThanOrEqual(maxFailingMs);
          expect(retryAt - failed.nowMs).toBeGreaterThanOrEqual(Math.max(750, failed.retryAfterMs ?? 0));
        },
      ),
    );
  });
});
