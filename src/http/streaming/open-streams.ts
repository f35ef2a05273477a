import type { ServerResponse } from 'node:http';
import { Fault } from '@errand/base/fault.ts';
import type { Principal } from '../../rules/accounts/access.ts';

/** How many anonymous streams one IP address may have open. */
const maxVisitorStreams = 20;

/** The open streams, so that the service can end them when it stops. */
export class OpenStreams {
  readonly #open = new Map<AbortController, Promise<void>>();
  readonly #ofVisitors = new Map<string, number>();
  #hasEnded = false;

  /** Counts an anonymous visitor's stream until it closes; throws 429 `resource_exhausted` beyond the limit. */
  admit({ accountId, via }: Principal, response: ServerResponse): void {
    if (via.kind !== 'visitor') return;
    const count = this.#ofVisitors.get(accountId) ?? 0;
    if (count >= maxVisitorStreams) {
      throw new Fault('resource_exhausted', `At most ${maxVisitorStreams} streams can be open at once without signing in.`);
    }
    this.#ofVisitors.set(accountId, count + 1);
    response.once('close', () => {
      const left = (this.#ofVisitors.get(accountId) ?? 1) - 1;
      if (left > 0) this.#ofVisitors.set(accountId, left);
      else this.#ofVisitors.delete(accountId);
    });
  }

  /** Runs a stream; its signal aborts when the reader disconnects or the service stops, even before it began. */
  async run(response: ServerResponse, stream: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    if (this.#hasEnded || response.destroyed) controller.abort();
    else response.once('close', () => controller.abort());
    const done = stream(controller.signal).finally(() => this.#open.delete(controller));
    this.#open.set(controller, done);
    await done;
  }

  /** Ends them all permanently; resolves when the last one is closed. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const all = [...this.#open];
    for (const [controller] of all) controller.abort();
    await Promise.allSettled(all.map(([, done]) => done));
  }
}
