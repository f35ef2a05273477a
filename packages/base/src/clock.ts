/** A pending timer; `cancel` is idempotent. */
export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. `now` is wall-clock milliseconds since the epoch and may jump; `monotonic` is milliseconds that never go back,
 * for durations and cache lifetimes.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  setTimer(run: () => void, delayMs: number): Timer;
}

/** The operating system's clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(run, delayMs) {
    const handle = setTimeout(run, delayMs);
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `delayMs`, or as soon as `signal` aborts (never rejects). */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      timer.cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = clock.setTimer(finish, delayMs);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
