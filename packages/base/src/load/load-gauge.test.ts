import { describe, expect, it } from 'vitest';
import { LoadGauge } from './load-gauge.ts';

function noteMany(gauge: LoadGauge, count: number, callers: readonly object[] = [{}]): void {
  for (let index = 0; index < count; index += 1) gauge.note(callers[index % callers.length] ?? {});
}

describe('LoadGauge', () => {
  it('measures how many requests arrive per millisecond, and from how many callers', () => {
    const gauge = new LoadGauge();
    gauge.measure(1000);
    noteMany(gauge, 100, [{}, {}, {}]);
    expect(gauge.measure(1050)).toEqual({ perMs: 2, callers: 3 });
  });

  it('keeps the last load until enough time has passed for a new one', () => {
    const gauge = new LoadGauge();
    gauge.measure(1000);
    noteMany(gauge, 100);
    gauge.measure(1050);
    noteMany(gauge, 1);
    expect(gauge.measure(1051).perMs).toBe(2);
    expect(gauge.measure(1071).perMs).toBeCloseTo(1 / 21);
  });

  it('resets once a flood is over', () => {
    const gauge = new LoadGauge();
    noteMany(gauge, 1000);
    gauge.measure(100);
    expect(gauge.measure(200)).toEqual({ perMs: 0, callers: 0 });
  });

  it('remembers few callers, however many there are', () => {
    const gauge = new LoadGauge();
    gauge.measure(100);
    for (let index = 0; index < 1000; index += 1) gauge.note({});
    expect(gauge.measure(200)).toEqual({ perMs: 10, callers: 16 });
  });
});
