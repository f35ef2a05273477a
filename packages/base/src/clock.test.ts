import { describe, expect, it, vi } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { pause, systemClock } from './clock.ts';

describe('pause', () => {
  it('ends after exactly its duration', async () => {
    const clock = new TestClock();
    const over = vi.fn<() => void>();
    const paused = pause(clock, 1000).then(over);
    await clock.advance(999);
    expect(over).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(over).toHaveBeenCalledOnce();
    await paused;
  });

  it('ends immediately when its signal aborts, and leaves no timer and no listener', async () => {
    const clock = new TestClock();
    const stop = new AbortController();
    const paused = pause(clock, 1000, stop.signal);
    stop.abort();
    await paused;
    expect(clock.timerCount).toBe(0);
    await pause(clock, 1000, stop.signal);
    expect(clock.timerCount).toBe(0);
  });

  it('is not cut short by a wall clock that jumps', async () => {
    const clock = new TestClock();
    const over = vi.fn<() => void>();
    void pause(clock, 1000).then(over);
    clock.jump(3_600_000);
    await clock.advance(999);
    expect(over).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(over).toHaveBeenCalledOnce();
  });
});

describe('systemClock', () => {
  it('runs a timer once, and never after it is canceled', async () => {
    const ran: string[] = [];
    const cancelled = systemClock.setTimer(() => ran.push('cancelled'), 1);
    cancelled.cancel();
    cancelled.cancel();
    const before = systemClock.monotonic();
    await new Promise<void>((resolve) => {
      systemClock.setTimer(() => {
        ran.push('ran');
        resolve();
      }, 5);
      // The timer alone does not keep a process alive.
      setTimeout(() => undefined, 50);
    });
    expect(ran).toEqual(['ran']);
    expect(systemClock.monotonic()).toBeGreaterThan(before);
  });
});
