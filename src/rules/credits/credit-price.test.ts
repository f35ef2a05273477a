import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountOf, creditsFor, usualCreditPrice } from './credit-price.ts';

it('an amount never pays for more credits than it is worth, and always for one less than the next', () => {
  const micros = fc.integer({ min: 1, max: 100_000_000 });
  const cents = fc.integer({ min: 0, max: 100_000_000 });
  fc.assert(
    fc.property(micros, cents, (each, hundredths) => {
      const price = { micros: each, currency: 'USD' };
      const credits = creditsFor(hundredths / 100, price);
      expect(credits * each).toBeLessThanOrEqual(hundredths * 10_000);
      expect((credits + 1) * each).toBeGreaterThan(hundredths * 10_000);
    }),
  );
});

it('credits and what they are worth are the same number of credits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), fc.integer({ min: 1, max: 1_000_000 }), (credits, micros) => {
      const price = { micros, currency: 'EUR' };
      expect(creditsFor(amountOf(credits, price), price)).toBe(credits);
    }),
  );
  expect(amountOf(250, usualCreditPrice)).toBe(2.5);
});
