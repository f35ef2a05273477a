import type { Client } from 'pg';
import type { Clock, Timer } from '@errand/base/clock.ts';
import { cutDelta, type Delta, type DeltaSink, type DeltaSource, joinDelta, LocalDeltas } from '@errand/base/signals/deltas.ts';
import { newId } from '@errand/base/ids.ts';
import { PostgresConnection } from './postgres-connection.ts';

const channel = 'errand_deltas';
/** Text is sent in batches of this duration: fluent for a reader, and at most twenty messages a second. */
const gatherMs = 50;
/** PostgreSQL allows 7,999 bytes per message; text is split so that it fits even when escaped. */
const maxPieceLength = 1200;
/** Reserves space for the sender's name. */
const maxPacketBytes = 7800;
const reconnectMs = 1000;

type Piece = readonly [taskId: string, delta: Delta];
type Packet = readonly [sender: string, pieces: readonly Piece[]];

/** Packs them into as few messages as possible. */
function packPieces(sender: string, pieces: readonly Piece[]): string[] {
  const packets: string[] = [];
  let waiting: string[] = [];
  let bytes = 0;
  const close = () => {
    if (waiting.length > 0) packets.push(`[${JSON.stringify(sender)},[${waiting.join(',')}]]`);
    [waiting, bytes] = [[], 0];
  };
  for (const piece of pieces) {
    const text = JSON.stringify(piece);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > maxPacketBytes) close();
    waiting.push(text);
    bytes += size;
  }
  close();
  return packets;
}

/**
 * Deltas between processes: a worker publishes them, and the API process of a connected reader passes them on. Like all deltas they may be
 * lost; nothing is stored and nothing waits for them.
 */
export class PostgresDeltas implements DeltaSource, DeltaSink {
  readonly #local = new LocalDeltas();
  readonly #clock: Clock;
  readonly #connection: PostgresConnection;
  readonly #self: string;
  readonly #isAlone: () => boolean;
  #waiting = new Map<string, Delta[]>();
  #timer: Timer | undefined;
  #listenTimer: Timer | undefined;
  #subscribers = 0;

  /** @param isAlone whether no other process can have readers */
  constructor(url: string, clock: Clock, isAlone: () => boolean = () => false) {
    this.#clock = clock;
    this.#isAlone = isAlone;
    this.#self = newId(clock.now());
    this.#connection = new PostgresConnection(url, { onOpen: (client) => this.#listen(client) });
  }

  publish(taskId: string, delta: Delta): void {
    this.#local.publish(taskId, delta);
    if (this.#isAlone()) return;
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
      const [sender, pieces] = JSON.parse(payload) as Packet;
      if (sender === this.#self) return;
      for (const [taskId, delta] of pieces) this.#local.publish(taskId, delta);
    });
    await client.query(`LISTEN ${channel}`);
  }

  /** Listens while there are readers; reconnects after a lost connection. */
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
    const pieces = [...waiting].flatMap(([taskId, deltas]) =>
      deltas.flatMap((delta) => cutDelta(delta, maxPieceLength)).map((piece): Piece => [taskId, piece]),
    );
    try {
      const client = await this.#connection.get();
      const text = 'SELECT pg_notify($1, $2)';
      const packets = packPieces(this.#self, pieces);
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
