import { describe, expect, it } from 'vitest';
import type { Clock } from '@errand/base/clock.ts';
import { TaskWatch } from './feed-watch.ts';

/** Timers that a test sets off. */
class Timers implements Clock {
  readonly pending = new Set<() => void>();
  nowMs = 0;
  now = () => this.nowMs;
  monotonic = () => this.nowMs;

  setTimer(run: () => void) {
    this.pending.add(run);
    return { cancel: () => void this.pending.delete(run) };
  }
}

const later = 1000;

describe('a watch', () => {
  it('wakes for a look, for deltas, and automatically after a while', async () => {
    const timers = new Timers();
    const watch = new TaskWatch(timers, new AbortController().signal);
    let wake = watch.next(later);
    watch.look();
    expect(await wake).toBe('look');
    wake = watch.next(later);
    watch.stir();
    expect(await wake).toBe('deltas');
    wake = watch.next(later);
    for (const run of timers.pending) run();
    expect(await wake).toBe('look');
    expect(timers.pending.size).toBe(0);
  });

  it('wakes for a look when it is time, even if deltas never pause', async () => {
    const timers = new Timers();
    const watch = new TaskWatch(timers, new AbortController().signal);
    watch.stir();
    expect(await watch.next(later)).toBe('deltas');
    watch.stir();
    timers.nowMs = later;
    expect(await watch.next(later)).toBe('look');
    expect(await watch.next(later)).toBe('look');
    expect(timers.pending.size).toBe(0);
  });

  it('remembers what came while nobody was waiting, the more important thing of two', async () => {
    const watch = new TaskWatch(new Timers(), new AbortController().signal);
    watch.stir();
    watch.look();
    watch.stir();
    expect(await watch.next(later)).toBe('look');
    watch.stir();
    expect(await watch.next(later)).toBe('deltas');
  });

  it('ends when its signal aborts, before or while it waits, and leaves no timer', async () => {
    const timers = new Timers();
    const controller = new AbortController();
    const watch = new TaskWatch(timers, controller.signal);
    const wake = watch.next(later);
    controller.abort();
    expect(await wake).toBe('end');
    watch.look();
    expect(await watch.next(later)).toBe('end');
    expect(timers.pending.size).toBe(0);
  });
});
