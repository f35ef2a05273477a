import { EventEmitter, once } from 'node:events';

/** What a client wanted, and what it knows of it. */
export interface Act {
  kind: 'create' | 'message' | 'stop';
  client: number;
  /** In the text of a message, like no other. */
  token: string;
  /** Null while a creation was not answered. */
  taskId: string | null;
  /** Sent with an `Idempotency-Key` and repeated until there was an answer. */
  isKeyed: boolean;
  /** `unknown`: the connection broke before an answer came. */
  outcome: 'open' | 'acknowledged' | 'unknown';
}

/** Only for services that hang. */
const timeoutMs = 240_000;

/** Everything the clients of one run did, in the order in which they began it. */
export class WorkHistory {
  readonly acts: Act[] = [];
  /** Answers that nobody should have got. */
  readonly surprises: string[] = [];
  readonly #signals = new EventEmitter().setMaxListeners(0);
  #acknowledged = 0;
  #isUp = true;
  #enough = Infinity;

  begin(act: Omit<Act, 'outcome'>): Act {
    const begun: Act = { ...act, outcome: 'open' };
    this.acts.push(begun);
    return begun;
  }

  acknowledge(act: Act): void {
    act.outcome = 'acknowledged';
    this.#acknowledged += 1;
    this.#signals.emit('acknowledged');
  }

  get acknowledgedCount(): number {
    return this.#acknowledged;
  }

  /** Resolves once so many more acts have been acknowledged. */
  async waitForMore(count: number): Promise<void> {
    const wanted = this.#acknowledged + count;
    while (this.#acknowledged < wanted) await once(this.#signals, 'acknowledged', { signal: AbortSignal.timeout(timeoutMs) });
  }

  /** Whether a user should be there to answer. */
  setUp(isUp: boolean): void {
    this.#isUp = isUp;
    this.#enough = Infinity;
    if (isUp) this.#signals.emit('up');
  }

  /** Users go on up to so many more acknowledgements, and rest until the next `setUp`. */
  restAfter(count: number): void {
    this.#enough = this.#acknowledged + count;
  }

  async waitUntilUp(): Promise<void> {
    while (!this.#isUp || this.#acknowledged >= this.#enough) await once(this.#signals, 'up');
  }
}
