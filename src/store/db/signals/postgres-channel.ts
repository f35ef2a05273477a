import type { Clock, Timer } from '@errand/base/clock.ts';
import { PostgresConnection, type PostgresConnectionOptions } from '../postgres-connection.ts';

const reconnectMs = 1000;

export interface ChannelParts {
  clock: Clock;
  receive(payload: string): void;
  /** Called about once a second while somebody listens, and once after the last one has ended. */
  onLook?(): void;
}

/** A channel between the processes on a database, with a connection of its own. What is sent while nobody listens is lost. */
export class PostgresChannel {
  readonly #name: string;
  readonly #parts: ChannelParts;
  readonly #connection: PostgresConnection;
  #listeners = 0;
  #timer: Timer | undefined;

  constructor(url: string, name: string, parts: ChannelParts) {
    this.#name = name;
    this.#parts = parts;
    const options: PostgresConnectionOptions = {
      onOpen: async (client) => {
        client.on('notification', ({ payload = '' }) => parts.receive(payload));
        await client.query(`LISTEN ${name}`);
      },
    };
    this.#connection = new PostgresConnection(url, options);
  }

  get hasListeners(): boolean {
    return this.#listeners > 0;
  }

  /** Listens until `unsubscribe` was called by the returned function. */
  listenUntil(unsubscribe: () => void): () => void {
    this.#listeners += 1;
    void this.#keepListening();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      unsubscribe();
      this.#listeners -= 1;
    };
  }

  /** Listens while there are listeners; reconnects after a lost connection. */
  async #keepListening(): Promise<void> {
    const { clock, onLook } = this.#parts;
    onLook?.();
    this.#timer?.cancel();
    this.#timer = undefined;
    if (!this.hasListeners) return;
    await this.#connection.get().catch(() => undefined);
    this.#timer ??= clock.setTimer(() => void this.#keepListening(), reconnectMs);
  }

  /** Sends messages of at most 7,999 bytes, in this order. Rejects without a connection. */
  async notify(payloads: readonly string[]): Promise<void> {
    const client = await this.#connection.get();
    const query = { name: 'notify', text: 'SELECT pg_notify($1, $2)' };
    await Promise.all(payloads.map((payload) => client.query({ ...query, values: [this.#name, payload] })));
  }

  async close(): Promise<void> {
    this.#listeners = 0;
    this.#timer?.cancel();
    await this.#connection.close();
  }
}
