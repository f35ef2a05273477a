import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeliveryLanes, usualLimit } from './delivery-lanes.ts';

const good = { isDelivered: true, durationMs: 5 };

function limitAfter(results: readonly { isDelivered: boolean; durationMs: number }[]): number {
  const lanes = new DeliveryLanes();
  for (const result of results) {
    lanes.enter('w');
    lanes.leave('w', result);
  }
  return lanes.list()[0]?.[2] ?? usualLimit;
}

describe('the lanes of deliveries', () => {
  it('reduce a failing or slow receiver to as little as one message at a time', () => {
    const ten = Array.from({ length: 10 }, () => good);
    expect(limitAfter([...ten, { isDelivered: false, durationMs: 5 }])).toBe((usualLimit + 10) / 2);
    expect(limitAfter([...ten, { isDelivered: true, durationMs: 9000 }])).toBe((usualLimit + 10) / 2);
    expect(limitAfter(Array.from({ length: 10 }, () => ({ isDelivered: false, durationMs: 15_000 })))).toBe(1);
  });

  it('increase a healthy receiver, up to a limit', () => {
    expect(limitAfter([good, good])).toBe(usualLimit + 2);
    expect(limitAfter(Array.from({ length: 1000 }, () => good))).toBe(128);
  });

  it('never leave a receiver without a slot, and count deliveries in progress', () => {
    const step = fc.record({
      lane: fc.constantFrom('a', 'b', 'c'),
      isDelivered: fc.boolean(),
      durationMs: fc.nat({ max: 20_000 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const lanes = new DeliveryLanes();
        for (const { lane } of steps) lanes.enter(lane);
        expect(lanes.held).toBe(steps.length);
        for (const { lane, ...result } of steps) lanes.leave(lane, result);
        expect(lanes.held).toBe(0);
        for (const [, held, limit] of lanes.list()) {
          expect(held).toBe(0);
          expect(limit).toBeGreaterThanOrEqual(1);
          expect(limit).toBeLessThanOrEqual(128);
        }
      }),
    );
  });

  it('request more once half of the slots of a receiver are free', () => {
    const lanes = new DeliveryLanes();
    expect(lanes.isHalfEmpty('w')).toBe(true);
    for (let index = 0; index < usualLimit; index += 1) lanes.enter('w');
    expect(lanes.isHalfEmpty('w')).toBe(false);
    lanes.leave('w', null);
    expect(lanes.isHalfEmpty('w')).toBe(true);
  });

  it('drop idle receivers if there are many', () => {
    const lanes = new DeliveryLanes();
    for (let index = 0; index < 10_000; index += 1) {
      lanes.enter(`w${index}`);
      lanes.leave(`w${index}`, good);
    }
    expect(lanes.list().length).toBeLessThanOrEqual(256);
  });
});
