import type { Client } from 'pg';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { everythingKey, type Hint, hintKey, type Hints, LocalHints } from '@errand/base/signals/hints.ts';
import { newId } from '@errand/base/ids.ts';
import { PostgresConnection } from './postgres-connection.ts';

const channel = 'errand_hints';
const gatherMs = 10;
const reconnectMs = 500;
const heartbeatMs = 5000;
/** PostgreSQL allows 7,999 bytes; a longer list is sent as "everything". */
const maxPayloadBytes = 7800;

/**
 * Hints between processes. Hints of a few milliseconds are sent together and outside any data transaction, because NOTIFY inside one
 * serializes commits. After a lost connection, everything is hinted once.
 */
export class PostgresHints implements Hints {
  readonly #local = new LocalHints();
  readonly #clock: Clock;
  readonly #connection: PostgresConnection;
  readonly #self: string;
  #keys = new Set<string>();
  #sendTimer: Timer | undefined;
  #watchTimer: Timer | undefined;
  #isOpen = false;

  constructor(url: string, clock: Clock) {
    this.#clock = clock;
    this.#self = newId(clock.now());
    this.#connection = new PostgresConnection(url, { onOpen: (client) => this.#listen(client) });
  }

  open(): void {
    this.#isOpen = true;
    void this.#watch();
  }

  publish(hint: Hint): void {
    this.#local.publish(hint);
    this.#keys.add(hintKey(hint));
    this.#sendTimer ??= this.#clock.setTimer(() => void this.#send(), gatherMs);
  }

  subscribe(key: string, listener: () => void): () => void {
    return this.#local.subscribe(key, listener);
  }

  async #listen(client: Client): Promise<void> {
    client.on('notification', ({ payload = '' }) => this.#receive(payload));
    client.on('end', () => this.#watchIn(reconnectMs));
    await client.query(`LISTEN ${channel}`);
    this.#local.publishKey(everythingKey);
  }

  #receive(payload: string): void {
    const [sender, ...keys] = payload.split(' ');
    if (sender === this.#self) return;
    for (const key of keys) this.#local.publishKey(key);
  }

  async #send(): Promise<void> {
    this.#sendTimer = undefined;
    const list = [this.#self, ...this.#keys].join(' ');
    this.#keys = new Set();
    const payload = list.length > maxPayloadBytes ? `${this.#self} ${everythingKey}` : list;
    try {
      const client = await this.#connection.get();
      await client.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values: [channel, payload] });
    } catch {
      // A hint may be lost: subscribers also poll, and reconnecting hints everything.
    }
  }

  #watchIn(delayMs: number): void {
    this.#watchTimer?.cancel();
    if (this.#isOpen) this.#watchTimer = this.#clock.setTimer(() => void this.#watch(), delayMs);
  }

  /** Keeps the listening connection alive and detects when it is dead. */
  async #watch(): Promise<void> {
    try {
      const client = await this.#connection.get();
      await client.query('SELECT 1');
      this.#watchIn(heartbeatMs);
    } catch {
      this.#watchIn(reconnectMs);
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#watchTimer?.cancel();
    this.#sendTimer?.cancel();
    await this.#connection.close();
  }
}
