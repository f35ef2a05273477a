import type { Client } from 'pg';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { everythingKey, type Hint, hintKey, type Hints, LocalHints } from '@errand/base/signals/hints.ts';
import { newId } from '@errand/base/ids.ts';
import { PostgresConnection } from '../postgres-connection.ts';

const channel = 'errand_hints';
const gatherMs = 10;
const reconnectMs = 500;
/** A list with only this entry says that its sender is running. */
const here = 'here';
/** PostgreSQL allows 7,999 bytes; a longer list is sent as "everything". */
const maxListBytes = 7700;

/** How often a process announces that it is running. */
const hereEveryMs = 5000;
/** After this time without a message from another process, this one counts as the only one. */
const silenceMs = 3 * hereEveryMs;

/** The other processes on the same database, as far as they have sent messages. A process that has just started may have others. */
export class PostgresNeighbors {
  readonly #clock: Clock;
  /** When each process sent its last message, on the monotonic clock. */
  readonly #known = new Map<string, number>();
  readonly #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Notes a message. True if its sender was unknown, and so knows nothing of this process yet. */
  note(name: string): boolean {
    const isNew = !this.#known.has(name);
    this.#known.set(name, this.#clock.monotonic());
    return isNew;
  }

  /** Whether there is no other process to send anything to. */
  get isAlone(): boolean {
    const oldest = this.#clock.monotonic() - silenceMs;
    for (const [name, at] of this.#known) if (at < oldest) this.#known.delete(name);
    return this.#known.size === 0 && this.#since < oldest;
  }
}

/**
 * Hints between processes. Hints of a few milliseconds are sent together and outside any data transaction, because NOTIFY inside one
 * serializes commits. After a lost connection, everything is hinted once. A process that is alone only announces that it is running.
 */
export class PostgresHints implements Hints {
  readonly #local = new LocalHints();
  readonly #clock: Clock;
  readonly #connection: PostgresConnection;
  readonly #self: string;
  readonly #neighbors: PostgresNeighbors;
  #keys = new Set<string>();
  #sendTimer: Timer | undefined;
  #watchTimer: Timer | undefined;
  #isOpen = false;

  constructor(url: string, clock: Clock) {
    this.#clock = clock;
    this.#self = newId(clock.now());
    this.#neighbors = new PostgresNeighbors(clock);
    this.#connection = new PostgresConnection(url, { onOpen: (client) => this.#listen(client) });
  }

  open(): void {
    this.#isOpen = true;
    void this.#watch();
  }

  /** Whether no other process receives what is sent. This may be wrong for a moment about a process that has just started. */
  get isAlone(): boolean {
    return this.#neighbors.isAlone;
  }

  publish(hint: Hint): void {
    this.#local.publish(hint);
    if (this.isAlone) return;
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

  async #notify(text: string): Promise<void> {
    const client = await this.#connection.get();
    await client.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values: [channel, `${this.#self} ${text}`] });
  }

  #receive(payload: string): void {
    const [sender, ...keys] = payload.split(' ');
    if (sender === undefined || sender === this.#self) return;
    // One that has just begun learns at once that it is not alone.
    if (this.#neighbors.note(sender)) void this.#notify(here).catch(() => undefined);
    for (const key of keys) this.#local.publishKey(key);
  }

  async #send(): Promise<void> {
    this.#sendTimer = undefined;
    const list = [...this.#keys].join(' ');
    this.#keys = new Set();
    try {
      await this.#notify(list.length > maxListBytes ? everythingKey : list);
    } catch {
      // A hint may be lost: subscribers also poll, and reconnecting hints everything.
    }
  }

  #watchIn(delayMs: number): void {
    this.#watchTimer?.cancel();
    if (this.#isOpen) this.#watchTimer = this.#clock.setTimer(() => void this.#watch(), delayMs);
  }

  /** Keeps the listening connection alive, detects when it is dead, and announces this process to the others. */
  async #watch(): Promise<void> {
    try {
      await this.#notify(here);
      this.#watchIn(hereEveryMs);
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
