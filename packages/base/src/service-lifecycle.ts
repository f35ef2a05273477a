/**
 * A background service. `start` resolves when it works, `stop` when nothing of it is left (no timer, no promise, no socket). Both may be
 * called repeatedly and concurrently.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Stops in reverse order, continuing after errors; then rejects with the first one. */
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
      // Report why the start failed, not errors of the rollback.
      await stopAll(services.slice(0, count)).catch(() => undefined);
      throw error;
    }
  }
}

/** Serializes starts and stops: each waits for the previous ones, so the last call decides the final state. */
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
