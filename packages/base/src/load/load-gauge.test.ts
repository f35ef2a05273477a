import { describe, expect, it } from 'vitest';
import { LoadGauge } from './load-gauge.ts';

function noteMany(gauge: LoadGauge, count: number): void {
  for (let index = 0; index < count; index += 1) gauge.note();
}

describe('LoadGauge', () => {
  it('measures how many requests arrive per millisecond', () => {
    const gauge = new LoadGauge();
    gauge.ratePerMs(1000);
    noteMany(gauge, 100);
    expect(gauge.ratePerMs(1050)).toBe(2);
  });

  it('keeps the last rate until enough time has passed for a new one', () => {
    const gauge = new LoadGauge();
    gauge.ratePerMs(1000);
    noteMany(gauge, 100);
    gauge.ratePerMs(1050);
    noteMany(gauge, 1);
    expect(gauge.ratePerMs(1051)).toBe(2);
    expect(gauge.ratePerMs(1071)).toBeCloseTo(1 / 21);
  });

  it('resets once a flood is over', () => {
    const gauge = new LoadGauge();
    noteMany(gauge, 1000);
    gauge.ratePerMs(100);
    expect(gauge.ratePerMs(200)).toBe(0);
  });
});
