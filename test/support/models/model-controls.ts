import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallRecord, Rule, Script } from './model-script.ts';

/** Waits for calls: `started` or `closed` ones whose request body contains `match`. */
export interface WaitRequest {
  state: 'started' | 'closed';
  match?: string;
  /** How many of them. */
  count?: number;
}

interface Waiter {
  wanted: WaitRequest;
  response: ServerResponse;
}

/** The control endpoint: scripts in, records out. */
export class Controls {
  readonly #script: Script;
  #calls: CallRecord[] = [];
  #waiters: Waiter[] = [];
  #nextId = 1;

  constructor(script: Script) {
    this.#script = script;
  }

  open(wire: string, request: IncomingMessage, body: unknown, startedAtMs: number): CallRecord {
    const record: CallRecord = {
      id: this.#nextId++,
      wire,
      path: request.url ?? '',
      headers: request.headers,
      body,
      startedAtMs,
      closedAtMs: null,
      outcome: 'open',
    };
    this.#calls.push(record);
    return record;
  }

  /** Tells waiters that a call has started or closed. */
  announce(): void {
    this.#waiters = this.#waiters.filter((waiter) => !this.#answer(waiter));
  }

  serve(path: string, body: string, response: ServerResponse): void {
    if (path === '/control/calls') return this.#reply(response, this.#calls);
    if (path === '/control/script') this.#script.replace(JSON.parse(body) as Rule[]);
    else if (path === '/control/forget') this.#calls = [];
    else if (path === '/control/wait') return this.#wait({ wanted: JSON.parse(body) as WaitRequest, response });
    else response.statusCode = 404;
    this.#reply(response, null);
  }

  #wait(waiter: Waiter): void {
    if (!this.#answer(waiter)) this.#waiters.push(waiter);
  }

  #answer({ wanted, response }: Waiter): boolean {
    const found = this.#calls.filter(
      (call) =>
        (wanted.state === 'started' || call.closedAtMs !== null) && JSON.stringify(call.body).includes(wanted.match ?? ''),
    );
    if (found.length < (wanted.count ?? 1)) return false;
    this.#reply(response, found);
    return true;
  }

  #reply(response: ServerResponse, value: unknown): void {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(value));
  }
}
