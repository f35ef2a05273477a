import type { ServerResponse } from 'node:http';
import { Fault } from '@errand/base/fault.ts';

/** The signal that a caller has disconnected before its response was complete. Most requests never ask for it, so it is made on demand. */
export class CallerPresence {
  /** Whether nothing in the request may be ignored. */
  readonly isStrict: boolean;
  readonly #response: ServerResponse;
  #leaving: AbortController | null = null;

  constructor(response: ServerResponse, isStrict = false) {
    this.isStrict = isStrict;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#leaving ??= this.#watch();
    return this.#leaving.signal;
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
