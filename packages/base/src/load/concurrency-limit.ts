/** Runs `work` when one of the places is free, in the order of asking. Rejects with the signal's reason while it waits. */
export type ConcurrencyLimit = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** A limit on jobs that run at once: each takes a core or much memory, which the machine also needs for other work. */
export function createConcurrencyLimit(count: number): ConcurrencyLimit {
  let taken = 0;
  const waiting: (() => void)[] = [];

  function nextTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      waiting.push(start);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the place on, so that `taken` stays the same, or gives it back. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  }

  return async (signal, work) => {
    signal.throwIfAborted();
    if (taken >= count) await nextTurn(signal);
    else taken++;
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
