import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { type ClockJump, createSteadyClock } from './steady-clock.ts';

const day = 24 * 3_600_000;

function createClocks() {
  const [source, jumps] = [new TestClock(), new Array<ClockJump>()];
  let sleptMs = 0;
  const steady = createSteadyClock(
    source,
    (jump) => jumps.push(jump),
    () => source.monotonic() + sleptMs,
  );
  const startMs = steady.now();
  return { source, steady, jumps, startMs, sleep: (ms: number) => void (sleptMs += ms) };
}

describe('a steady clock', () => {
  it.each([3 * day, 365 * day, -3 * day])('does not follow a jump of %i ms that passes, and reports it once', async (byMs) => {
    const { source, steady, jumps, startMs } = createClocks();
    source.jump(byMs);
    for (let second = 0; second < 6; second += 1) {
      expect(steady.now()).toBe(startMs + 1000 * second);
      await source.advance(1000);
    }
    source.jump(-byMs);
    expect(steady.now()).toBe(startMs + 6000);
    expect(jumps).toEqual([{ byMs, isAccepted: false }]);
  });

  it('follows a clock that was set for good after a minute, and says so', async () => {
    const { source, steady, jumps, startMs } = createClocks();
    source.jump(3 * day);
    expect(steady.now()).toBe(startMs);
    await source.advance(59_999);
    expect(steady.now()).toBe(startMs + 59_999);
    await source.advance(1);
    expect(steady.now()).toBe(startMs + 60_000 + 3 * day);
    expect(jumps.map(({ isAccepted }) => isAccepted)).toEqual([false, true]);
  });

  it('follows small corrections at once, however many there are', async () => {
    const { source, steady, jumps } = createClocks();
    for (let count = 0; count < 20; count += 1) {
      source.jump(20_000);
      expect(steady.now()).toBe(source.now());
      await source.advance(10_000);
      expect(steady.now()).toBe(source.now());
    }
    expect(jumps).toEqual([]);
  });

  it('takes the time in which the machine slept for time', () => {
    const { source, steady, jumps, startMs, sleep } = createClocks();
    source.jump(8 * 3_600_000);
    sleep(8 * 3_600_000);
    expect(steady.now()).toBe(startMs + 8 * 3_600_000);
    expect(jumps).toEqual([]);
  });
});
