import type { Client } from 'pg';
import type { Clock, Timer } from '../../base/clock.ts';
import { cutDelta, type Delta, type DeltaSink, type DeltaSource, joinDelta, LocalDeltas } from '../../base/deltas.ts';
import { newId } from '../../base/ids.ts';
import { PostgresConnection } from './postgres-connection.ts';

const channel = 'errand_deltas';
/** Text of this long travels together: fluent to a reader, and twenty messages a second at most. */
const gatherMs = 50;
/** PostgreSQL takes 7,999 bytes a message; a piece of text is cut so that even escaped it fits. */
const maxPieceLength = 1200;
const reconnectMs = 1000;

type Packet = [sender: string, taskId: string, delta: Delta];

/**
 * Deltas between processes: a worker writes, the API process that a reader is connected to passes them on. Like every delta
 * they may be lost; nothing is stored and nothing waits for them.
 */
export class PostgresDeltas implements DeltaSource, DeltaSink {
  readonly #local = new LocalDeltas();
  readonly #clock: Clock;
  readonly #connection: PostgresConnection;
  readonly #self: string;
  #waiting = new Map<string, Delta[]>();
  #timer: Timer | undefined;
  #listenTimer: Timer | undefined;
  #subscribers = 0;

  constructor(url: string, clock: Clock) {
    this.#clock = clock;
    this.#self = newId(clock.now());
    this.#connection = new PostgresConnection(url, (client) => this.#listen(client));
  }

  publish(taskId: string, delta: Delta): void {
    this.#local.publish(taskId, delta);
    const waiting = this.#waiting.get(taskId) ?? [];
    joinDelta(waiting, delta);
    this.#waiting.set(taskId, waiting);
    this.#timer ??= this.#clock.setTimer(() => void this.#send(), gatherMs);
  }

  subscribe(taskId: string, listener: (delta: Delta) => void): () => void {
    const unsubscribe = this.#local.subscribe(taskId, listener);
    this.#subscribers += 1;
    void this.#keepListening();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      unsubscribe();
      this.#subscribers -= 1;
    };
  }

  async #listen(client: Client): Promise<void> {
    client.on('notification', ({ payload = '' }) => {
      const [sender, taskId, delta] = JSON.parse(payload) as Packet;
      if (sender !== this.#self) this.#local.publish(taskId, delta);
    });
    await client.query(`LISTEN ${channel}`);
  }

  /** Listens while somebody reads, again after a lost connection. */
  async #keepListening(): Promise<void> {
    this.#listenTimer?.cancel();
    this.#listenTimer = undefined;
    if (this.#subscribers === 0) return;
    await this.#connection.get().catch(() => undefined);
    this.#listenTimer ??= this.#clock.setTimer(() => void this.#keepListening(), reconnectMs);
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const packets = [...waiting].flatMap(([taskId, deltas]) =>
      deltas
        .flatMap((delta) => cutDelta(delta, maxPieceLength))
        .map((piece) => JSON.stringify([this.#self, taskId, piece] satisfies Packet)),
    );
    try {
      const client = await this.#connection.get();
      const text = 'SELECT pg_notify($1, $2)';
      await Promise.all(packets.map((packet) => client.query({ name: 'notify', text, values: [channel, packet] })));
    } catch {
      // A delta may be lost; the event that follows it has the whole text.
    }
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#listenTimer?.cancel();
    await this.#connection.close();
  }
}
