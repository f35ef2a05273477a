import { describe, expect, it } from 'vitest';
import { LoadGauge, type LoopWatch } from './load-gauge.ts';

function noteMany(gauge: LoadGauge, count: number, callers: readonly object[] = [{}]): void {
  for (let index = 0; index < count; index += 1) gauge.note(callers[index % callers.length] ?? {});
}

/** An event loop whose turns last as long as the test says. */
class TestLoop implements LoopWatch {
  #nowMs = 0;
  #callbacks: (() => void)[] = [];

  now = () => this.#nowMs;

  atEndOfTurn(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  work(ms: number): void {
    this.#nowMs += ms;
  }

  endTurn(ms: number): void {
    this.work(ms);
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}

describe('LoadGauge', () => {
  it('measures how many requests arrive per millisecond, and from how many callers', () => {
    const gauge = new LoadGauge();
    gauge.measure(1000);
    noteMany(gauge, 100, [{}, {}, {}]);
    expect(gauge.measure(1050)).toMatchObject({ perMs: 2, callers: 3 });
  });

  it('keeps the last load until there are enough requests, or enough time has passed, for a new one', () => {
    const gauge = new LoadGauge();
    gauge.measure(1000);
    noteMany(gauge, 100);
    gauge.measure(1050);
    noteMany(gauge, 16);
    expect(gauge.measure(1051).perMs).toBe(2);
    expect(gauge.measure(1071).perMs).toBeCloseTo(16 / 21);
    noteMany(gauge, 15);
    expect(gauge.measure(1120).perMs).toBeCloseTo(16 / 21);
    expect(gauge.measure(1171).perMs).toBeCloseTo(15 / 100);
  });

  it('resets once a flood is over', () => {
    const loop = new TestLoop();
    const gauge = new LoadGauge(loop);
    noteMany(gauge, 1000);
    loop.endTurn(50);
    gauge.measure(100);
    expect(gauge.measure(200)).toEqual({ perMs: 0, callers: 0, delayMs: 0 });
  });

  it('remembers few callers, however many there are', () => {
    const gauge = new LoadGauge();
    gauge.measure(100);
    for (let index = 0; index < 1000; index += 1) gauge.note({});
    expect(gauge.measure(200)).toMatchObject({ perMs: 10, callers: 16 });
  });

  it('measures how long turns of the event loop last in which requests arrive', () => {
    const loop = new TestLoop();
    const gauge = new LoadGauge(loop);
    gauge.note({});
    loop.work(3);
    gauge.note({});
    loop.endTurn(5);
    loop.endTurn(1000);
    gauge.note({});
    loop.endTurn(2);
    expect(gauge.measure(2000).delayMs).toBe(5);
  });

  it('counts a turn that has not ended yet once it is longer than those before it', () => {
    const loop = new TestLoop();
    const gauge = new LoadGauge(loop);
    gauge.note({});
    loop.endTurn(4);
    gauge.note({});
    loop.work(90);
    expect(gauge.measure(100).delayMs).toBe(90);
  });
});
