import type { FeedPorts } from './feed-ports.ts';

type DozePorts = Pick<FeedPorts, 'isVisible' | 'now' | 'setTimer'>;

/** An interruptible wait, and how long the page has been hidden. */
export class Doze {
  readonly #ports: DozePorts;
  readonly #sleepers = new Set<() => void>();
  #hiddenSinceMs: number | null;
  #cancelIdle: () => void = () => undefined;

  constructor(ports: DozePorts) {
    this.#ports = ports;
    // Opened in the background, such as from a list for later.
    this.#hiddenSinceMs = ports.isVisible() ? null : Number.NEGATIVE_INFINITY;
  }

  hiddenForMs(): number {
    return this.#hiddenSinceMs === null ? 0 : this.#ports.now() - this.#hiddenSinceMs;
  }

  /** Tracks whether the page is visible and wakes waiters. `onIdle` is called once it has been hidden for `idleAfterMs`. */
  look(idleAfterMs: number, onIdle: () => void): void {
    this.#cancelIdle();
    if (this.#ports.isVisible()) this.#hiddenSinceMs = null;
    else {
      this.#hiddenSinceMs ??= this.#ports.now();
      const leftMs = idleAfterMs - this.hiddenForMs();
      if (leftMs > 0) this.#cancelIdle = this.#ports.setTimer(onIdle, leftMs);
    }
    this.wake();
  }

  wake(): void {
    for (const rise of this.#sleepers) rise();
  }

  /** Resolves after the time, when woken, or when the signal aborts. */
  for(ms: number, signal: AbortSignal): Promise<void> {
    return this.#sleep(ms, () => true, signal);
  }

  /** Resolves when woken while the condition holds, or when the signal aborts. */
  until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
    return isTrue() ? Promise.resolve() : this.#sleep(null, isTrue, signal);
  }

  #sleep(ms: number | null, mayRise: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const rise = () => {
        if (!signal.aborted && !mayRise()) return;
        cancel();
        this.#sleepers.delete(rise);
        signal.removeEventListener('abort', rise);
        resolve();
      };
      const cancel = ms === null ? () => undefined : this.#ports.setTimer(rise, ms);
      this.#sleepers.add(rise);
      signal.addEventListener('abort', rise);
      if (signal.aborted) rise();
    });
  }
}
