import type { ServerResponse } from 'node:http';

/** The streams under way, so that the service can end them when it stops. */
export class OpenStreams {
  readonly #open = new Map<AbortController, Promise<void>>();
  #hasEnded = false;

  /** Runs a stream; its signal aborts when the reader goes or the service stops, even if that was before it began. */
  async run(response: ServerResponse, stream: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    if (this.#hasEnded || response.destroyed) controller.abort();
    else response.once('close', () => controller.abort());
    const done = stream(controller.signal).finally(() => this.#open.delete(controller));
    this.#open.set(controller, done);
    await done;
  }

  /** Ends them all for good; resolves when the last one is gone. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const all = [...this.#open];
    for (const [controller] of all) controller.abort();
    await Promise.allSettled(all.map(([, done]) => done));
  }
}
