import type { ServerResponse } from 'node:http';
import { Fault } from '@errand/base/fault.ts';
import { cleanTraceparent } from '../../rules/tracing/trace-context.ts';

/** What is known of a caller besides its rights. Most requests never ask for it, so it is made on demand. */
export class CallerPresence {
  /** Whether nothing in the request may be ignored. */
  readonly isStrict: boolean;
  readonly #response: ServerResponse;
  #leaving: AbortController | null = null;

  constructor(response: ServerResponse, isStrict = false) {
    this.isStrict = isStrict;
    this.#response = response;
  }

  /** The span of the caller: a valid `traceparent` in version 00; null for none. */
  get traceparent(): string | null {
    return cleanTraceparent(this.#response.req.headers.traceparent);
  }

  /** Aborted when the caller has disconnected before its response was complete. */
  get signal(): AbortSignal {
    this.#leaving ??= this.#watch();
    return this.#leaving.signal;
  }

  /** Says that the request waits for others from now on, and not for this process. */
  awaitOthers(): void {
    this.#response.awaitsOthers = true;
  }

  #watch(): AbortController {
    const leaving = new AbortController();
    const response = this.#response;
    const leave = () => {
      if (!response.writableFinished) leaving.abort(new Fault('invalid_argument', 'The caller has disconnected.'));
    };
    if (response.destroyed) leave();
    else response.once('close', leave);
    return leaving;
  }
}
