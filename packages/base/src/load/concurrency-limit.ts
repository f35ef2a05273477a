/** Runs `work` when a slot is free, in order of arrival. Rejects with the signal's reason if it aborts while waiting. */
export type ConcurrencyLimit = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** A limit on concurrent jobs: each takes a core or much memory, which the machine also needs for other work. */
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

  /** Passes the slot on, leaving `taken` unchanged, or releases it. */
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
