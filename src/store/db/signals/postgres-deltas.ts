import type { Clock, Timer } from '@errand/base/clock.ts';
import { cutDelta, type Delta, type DeltaSink, type DeltaSource, joinDelta, LocalDeltas } from '@errand/base/signals/deltas.ts';
import { newId } from '@errand/base/ids.ts';
import { PostgresChannel } from './postgres-channel.ts';

/** Text is sent in batches of this duration: fluent for a reader, and at most twenty messages a second. */
const gatherMs = 50;
/** PostgreSQL allows 7,999 bytes per message; text is split so that it fits even when escaped. */
const maxPieceLength = 1200;
/** Reserves space for the sender's name. */
const maxPacketBytes = 7800;

type Piece = readonly [taskId: string, delta: Delta];
type Packet = readonly [sender: string, pieces: readonly Piece[]];

/** Packs pieces into as few messages as possible. A piece that fits into none is lost: one of control characters, with a long path. */
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
    if (size > maxPacketBytes) continue;
    if (bytes + size > maxPacketBytes) close();
    waiting.push(text);
    bytes += size;
  }
  close();
  return packets;
}

/**
 * Deltas between processes: a worker publishes them, and the API process of a connected reader passes them on. They may be lost; nothing is
 * stored and nothing waits for them.
 */
export class PostgresDeltas implements DeltaSource, DeltaSink {
  readonly #local = new LocalDeltas();
  readonly #clock: Clock;
  readonly #channel: PostgresChannel;
  readonly #self: string;
  readonly #isAlone: () => boolean;
  #waiting = new Map<string, Delta[]>();
  #timer: Timer | undefined;

  /** @param isAlone whether no other process can have readers */
  constructor(url: string, clock: Clock, isAlone: () => boolean = () => false) {
    this.#clock = clock;
    this.#isAlone = isAlone;
    this.#self = newId(clock.now());
    this.#channel = new PostgresChannel(url, 'errand_deltas', { clock, receive: (payload) => this.#receive(payload) });
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
    return this.#channel.listenUntil(this.#local.subscribe(taskId, listener));
  }

  #receive(payload: string): void {
    const [sender, pieces] = JSON.parse(payload) as Packet;
    if (sender === this.#self) return;
    for (const [taskId, delta] of pieces) this.#local.publish(taskId, delta);
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const pieces = [...waiting].flatMap(([taskId, deltas]) =>
      deltas.flatMap((delta) => cutDelta(delta, maxPieceLength)).map((piece): Piece => [taskId, piece]),
    );
    try {
      await this.#channel.notify(packPieces(this.#self, pieces));
    } catch {
      // A delta may be lost; the event that follows it has the whole text.
    }
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#channel.close();
  }
}
