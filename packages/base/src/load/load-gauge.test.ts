import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { LoadGauge } from './load-gauge.ts';

function noteMany(gauge: LoadGauge, count: number, callers: readonly object[] = [{}]): void {
  for (let index = 0; index < count; index += 1) gauge.note(callers[index % callers.length] ?? {});
}

/** A gauge, its clock, and the end of the turn that it waits for. */
function gaugeUnderTest() {
  const clock = new TestClock();
  const ends: (() => void)[] = [];
  const gauge = new LoadGauge(clock, (callback) => void ends.push(callback));
  const endTurn = async (ms: number) => {
    await clock.advance(ms);
    for (const end of ends.splice(0)) end();
  };
  return { clock, gauge, endTurn };
}

describe('LoadGauge', () => {
  it('measures how many requests arrive per millisecond, and from how many callers', async () => {
    const { gauge, clock } = gaugeUnderTest();
    noteMany(gauge, 100, [{}, {}, {}]);
    await clock.advance(50);
    expect(gauge.measure()).toMatchObject({ perMs: 2, callers: 3 });
  });

  it('keeps the last load until there are enough requests, or enough time has passed, for a new one', async () => {
    const { gauge, clock } = gaugeUnderTest();
    noteMany(gauge, 100);
    await clock.advance(50);
    gauge.measure();
    noteMany(gauge, 16);
    await clock.advance(1);
    expect(gauge.measure().perMs).toBe(2);
    await clock.advance(20);
    expect(gauge.measure().perMs).toBeCloseTo(16 / 21);
    noteMany(gauge, 15);
    await clock.advance(50);
    expect(gauge.measure().perMs).toBeCloseTo(16 / 21);
    await clock.advance(50);
    expect(gauge.measure().perMs).toBeCloseTo(15 / 100);
  });

  it('resets once a flood is over', async () => {
    const { gauge, clock, endTurn } = gaugeUnderTest();
    noteMany(gauge, 1000);
    await endTurn(50);
    gauge.measure();
    await clock.advance(100);
    expect(gauge.measure()).toEqual({ perMs: 0, callers: 0, delayMs: 0 });
  });

  it('remembers few callers, however many there are', async () => {
    const { gauge, clock } = gaugeUnderTest();
    for (let index = 0; index < 1000; index += 1) gauge.note({});
    await clock.advance(100);
    expect(gauge.measure()).toMatchObject({ perMs: 10, callers: 16 });
  });

  it('measures how long turns of the event loop last in which requests arrive', async () => {
    const { gauge, clock, endTurn } = gaugeUnderTest();
    gauge.note({});
    await clock.advance(3);
    gauge.note({});
    await endTurn(5);
    await endTurn(1000);
    gauge.note({});
    await endTurn(2);
    expect(gauge.measure().delayMs).toBe(5);
  });

  it('counts a turn that has not ended yet once it is longer than those before it', async () => {
    const { gauge, clock, endTurn } = gaugeUnderTest();
    gauge.note({});
    await endTurn(10);
    gauge.note({});
    await clock.advance(90);
    expect(gauge.measure().delayMs).toBe(90);
  });
});
