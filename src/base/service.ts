/**
 * The shape of everything that runs without a request. `start` resolves when the service works, `stop` when nothing of it
 * is left (no timer, no promise, no socket). Both may be called repeatedly and concurrently.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts in the given order and stops in reverse; a failed start stops what had started. */
export function serviceGroup(name: string, services: readonly Service[]): Service {
  return {
    name,
    async start() {
      const started: Service[] = [];
      try {
        for (const service of services) {
          await service.start();
          started.push(service);
        }
      } catch (error) {
        for (const service of started.reverse()) await service.stop();
        throw error;
      }
    },
    async stop() {
      for (const service of services.toReversed()) await service.stop();
    },
  };
}
