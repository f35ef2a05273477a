/**
 * The shape of everything that runs without a request. `start` resolves when the service works, `stop` when nothing of it
 * is left (no timer, no promise, no socket). Both may be called repeatedly and concurrently.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Stops in reverse order, all of them even if some cannot; then rejects with the first reason. */
async function stopAll(services: readonly Service[]): Promise<void> {
  const failures: unknown[] = [];
  for (const service of services.toReversed()) await service.stop().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function startAll(services: readonly Service[]): Promise<void> {
  for (const [count, service] of services.entries()) {
    try {
      await service.start();
    } catch (error) {
      // Why the start failed matters more than what else went wrong on the way back.
      await stopAll(services.slice(0, count)).catch(() => undefined);
      throw error;
    }
  }
}

/** A gate for starts and stops: each waits for those before it, so the last one decides what keeps running. */
export function createMutex(): (act: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (act) => {
    last = last.then(act, act);
    return last;
  };
}

/** Starts in the given order and stops in reverse; a failed start stops what had started. */
export function serviceGroup(name: string, services: readonly Service[]): Service {
  const takeTurn = createMutex();
  return {
    name,
    start: () => takeTurn(() => startAll(services)),
    stop: () => takeTurn(() => stopAll(services)),
  };
}
