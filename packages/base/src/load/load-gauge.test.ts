import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { LoadGauge } from './load-gauge.ts';

/** A gauge, its clock, and requests that arrive together. */
function gaugeUnderTest() {
  const clock = new TestClock();
  const gauge = new LoadGauge(clock);
  const arrive = (count: number) => {
    const answers = Array.from({ length: count }, () => ({ headersSent: false }));
    for (const answer of answers) gauge.arrive(answer);
    return answers;
  };
  const leave = (answers: readonly { headersSent: boolean }[]) => {
    for (const answer of answers) gauge.leave(answer);
  };
  return { clock, gauge, arrive, leave };
}

describe('LoadGauge', () => {
  it('measures how many requests wait at the same time, and for how long', async () => {
    const { gauge, clock, arrive, leave } = gaugeUnderTest();
    const many = arrive(32);
    await clock.advance(15);
    leave(many);
    await clock.advance(5);
    const few = arrive(16);
    await clock.advance(30);
    leave(few);
    expect(gauge.measure()).toEqual({ waiting: (32 * 15 + 16 * 30) / 50, waitMs: (32 * 15 + 16 * 30) / 48 });
  });

  it('counts those that have no answer yet', async () => {
    const { gauge, clock, arrive } = gaugeUnderTest();
    arrive(32);
    await clock.advance(50);
    expect(gauge.measure()).toEqual({ waiting: 32, waitMs: 0 });
    await clock.advance(50);
    expect(gauge.measure().waiting).toBe(32);
  });

  it('keeps the last load until enough time has passed for a new one', async () => {
    const { gauge, clock, arrive, leave } = gaugeUnderTest();
    const answers = arrive(32);
    await clock.advance(50);
    gauge.measure();
    leave(answers);
    await clock.advance(49);
    expect(gauge.measure().waiting).toBe(32);
    await clock.advance(1);
    expect(gauge.measure()).toEqual({ waiting: 0, waitMs: 50 });
  });

  it('says what is now if nobody asked for long', async () => {
    const { gauge, clock, arrive, leave } = gaugeUnderTest();
    const answers = arrive(1000);
    await clock.advance(1000);
    leave(answers);
    arrive(3);
    expect(gauge.measure().waiting).toBe(3);
  });

  it('does not count readers of streams, whose answers have begun, nor requests that wait for other servers', async () => {
    const { gauge, clock, arrive } = gaugeUnderTest();
    for (const answer of arrive(100)) answer.headersSent = true;
    arrive(10);
    await clock.advance(50);
    gauge.measure();
    await clock.advance(50);
    expect(gauge.measure().waiting).toBe(10);
    await clock.advance(2000);
    gauge.measure();
    await clock.advance(50);
    expect(gauge.measure().waiting).toBe(0);
  });

  it('does not count requests that say that they wait for others, nor how long', async () => {
    const { gauge, clock, leave } = gaugeUnderTest();
    const answers = Array.from({ length: 10 }, () => ({ headersSent: false, awaitsOthers: true }));
    for (const answer of answers) gauge.arrive(answer);
    await clock.advance(50);
    gauge.measure();
    for (const answer of answers) gauge.arrive(answer);
    leave(answers);
    await clock.advance(50);
    expect(gauge.measure()).toEqual({ waiting: 0, waitMs: 0 });
  });

  it('does not count a request that was dropped before it left', async () => {
    const { gauge, clock, arrive, leave } = gaugeUnderTest();
    const answers = arrive(10);
    await clock.advance(3000);
    gauge.measure();
    leave(answers);
    await clock.advance(50);
    expect(gauge.measure()).toEqual({ waiting: 0, waitMs: 0 });
  });
});
