import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { type Broadcast, LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import { PostgresChannel } from './postgres-channel.ts';

/** PostgreSQL allows 7,999 bytes per message. */
const pieceLength = 7600;
/** Beyond this number of waiting messages, the server is too slow and further ones are dropped. */
const mostWaiting = 200;
/** Longer texts are never sent. */
const mostPieces = 150;
/** The pieces of a text follow each other at once; a sender that has paused for longer has died. */
const partialMs = 10_000;

interface Incoming {
  topic: string;
  text: string;
  /** The number of the next piece. */
  next: number;
  /** When the last piece arrived. */
  at: number;
}

/**
 * Broadcasts between processes on one database. Messages are encrypted, because the server may log them. Each text is sent in pieces, which
 * arrive in order; a text that misses a piece is dropped.
 */
export class PostgresBroadcast implements Broadcast {
  readonly #local = new LocalBroadcast();
  readonly #clock: Clock;
  readonly #box: Pick<SealedBox, 'seal' | 'open'>;
  readonly #channel: PostgresChannel;
  readonly #self: string;
  /** Incomplete messages, by sender. */
  readonly #partial = new Map<string, Incoming>();
  #waiting = 0;

  constructor(url: string, box: Pick<SealedBox, 'seal' | 'open'>, clock: Clock) {
    this.#clock = clock;
    this.#box = box;
    this.#self = newId(clock.now());
    this.#channel = new PostgresChannel(url, 'errand_broadcast', {
      clock,
      receive: (payload) => this.#receive(payload),
      onLook: () => this.#dropPartials(),
    });
  }

  publish(topic: string, text: string): void {
    this.#local.publish(topic, text);
    if (this.#waiting < mostWaiting) void this.#send(topic, text);
  }

  notifyOne(topic: string, text: string): boolean {
    if (this.#local.has(topic)) this.#local.publish(topic, text);
    else this.publish(topic, text);
    return true;
  }

  subscribe(topic: string, listener: (text: string) => void): () => void {
    return this.#channel.listenUntil(this.#local.subscribe(topic, listener));
  }

  async #send(topic: string, text: string): Promise<void> {
    const sealed = this.#box.seal(text, topic);
    const count = Math.ceil(sealed.length / pieceLength);
    if (count > mostPieces) return;
    this.#waiting += count;
    try {
      const pieces = Array.from({ length: count }, (_, at) => sealed.slice(at * pieceLength, (at + 1) * pieceLength));
      await this.#channel.notify(pieces.map((piece, at) => `${this.#self} ${topic} ${at} ${count} ${piece}`));
    } catch {
      // Lost, as it may be.
    } finally {
      this.#waiting -= count;
    }
  }

  #receive(payload: string): void {
    const [sender = '', topic = '', at = '', count = '', piece = ''] = payload.split(' ');
    if (sender === this.#self) return;
    // What nobody here listens to is neither joined nor opened: most pictures are for another process.
    const first = this.#local.has(topic) ? { topic, text: '', next: 0 } : undefined;
    const partial = at === '0' ? first : this.#partial.get(sender);
    this.#partial.delete(sender);
    if (partial?.topic !== topic || partial.next !== Number(at) || partial.next >= mostPieces) return;
    const joined = { topic, text: partial.text + piece, next: partial.next + 1, at: this.#clock.monotonic() };
    if (joined.next === Number(count)) this.#deliver(joined);
    else this.#partial.set(sender, joined);
  }

  /** Drops incomplete messages that are too old, and all of them if nobody listens any more. */
  #dropPartials(): void {
    const now = this.#clock.monotonic();
    for (const [sender, { at }] of this.#partial)
      if (!this.#channel.hasListeners || now - at > partialMs) this.#partial.delete(sender);
  }

  #deliver({ topic, text }: Pick<Incoming, 'topic' | 'text'>): void {
    try {
      this.#local.publish(topic, this.#box.open(text, topic));
    } catch {
      // From somebody who does not have the secret of this instance.
    }
  }

  close(): Promise<void> {
    return this.#channel.close();
  }
}
