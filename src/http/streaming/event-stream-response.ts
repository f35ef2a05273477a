import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FeedItem } from '../../api/contract/feed.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { Delta } from '@errand/base/signals/deltas.ts';
import { Fault } from '@errand/base/fault.ts';
import { renderFault } from '../server/envelope.ts';
import type { BeatingStream, StreamPulse } from './open-streams.ts';

/** How long a reader may stall before it is disconnected; it can resume after the last event it received. */
const stallTimeoutMs = 30_000;
/** How long closing a stream to a stalled reader may take. */
const closeTimeoutMs = 2000;
const retryMs = 1000;
const keepAlive = Buffer.from(': keep-alive\n\n');

const head = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  'x-accel-buffering': 'no',
};

function renderDelta(delta: Delta): string {
  if (!('callId' in delta)) return `event: delta\ndata: ${JSON.stringify(delta)}\n\n`;
  const { callId, ...piece } = delta;
  return `event: output\ndata: ${JSON.stringify({ action_id: callId, ...piece })}\n\n`;
}

function renderItem(item: FeedItem): string {
  if (item.kind === 'delta') return renderDelta(item.delta);
  if (item.kind === 'list') return `event: list\ndata: ${JSON.stringify(item.list)}\n\n`;
  if (item.kind === 'browser') return `event: browser\ndata: ${JSON.stringify(item.browser)}\n\n`;
  return `id: ${item.event.id}\ndata: ${JSON.stringify(item.event)}\n\n`;
}

const renderings = new WeakMap<readonly FeedItem[], Buffer>();

/** The bytes of a batch; a batch that many readers receive is rendered once. */
function render(batch: readonly FeedItem[]): Buffer {
  const known = renderings.get(batch);
  if (known) return known;
  const bytes = Buffer.from(batch.map(renderItem).join(''));
  renderings.set(batch, bytes);
  return bytes;
}

/** Server-sent events on one response. Nothing more is rendered while the reader's socket is full. */
export class EventStream implements BeatingStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #pulse: StreamPulse;
  readonly #requestId: string;
  readonly #publicUrl: string | undefined;
  #lastWriteAt: number;

  constructor(
    response: ServerResponse,
    requestId: string,
    { clock, pulse }: { clock: Clock; pulse: StreamPulse },
    publicUrl?: string,
  ) {
    this.#response = response;
    this.#publicUrl = publicUrl;
    this.#requestId = requestId;
    this.#clock = clock;
    this.#pulse = pulse;
    this.#lastWriteAt = clock.monotonic();
    // In-process requests have no socket.
    if (response.req.socket instanceof Socket) response.req.socket.setTimeout(0);
    // A reader that leaves in mid-write is detected by `close`.
    response.on('error', () => undefined);
    response.writeHead(200, { ...head, 'x-request-id': requestId });
    response.write(`retry: ${retryMs}\n\n`);
  }

  get lastWriteAt(): number {
    return this.#lastWriteAt;
  }

  /** Sends a sign of life, unless there is more than the reader takes. */
  beat(): void {
    this.#lastWriteAt = this.#clock.monotonic();
    if (!this.#response.writableNeedDrain) this.#response.write(keepAlive);
  }

  /** Writes all batches; ends when they do or the signal aborts, or with a named error when the reader stalls. */
  async pump(batches: AsyncIterable<readonly FeedItem[]>, signal: AbortSignal): Promise<void> {
    this.#pulse.join(this);
    try {
      for await (const batch of batches) {
        this.#lastWriteAt = this.#clock.monotonic();
        if (this.#response.write(render(batch)) || (await this.#drained(signal))) continue;
        if (signal.aborted) return this.#endSoon('');
        this.fail(new Fault('resource_exhausted', 'The client reads too slowly; resume after the last event.'));
        return;
      }
      this.#response.end();
    } finally {
      this.#pulse.leave(this);
    }
  }

  /** The last event of a stream that ends early. A stalled reader does not get it. */
  fail(fault: Fault): void {
    this.#endSoon(`event: error\ndata: ${renderFault(this.#requestId, fault, this.#publicUrl)}\n\n`);
  }

  #endSoon(lastWords: string): void {
    this.#response.end(lastWords);
    if (this.#response.closed) return;
    const timer = this.#clock.setTimer(() => this.#response.destroy(), closeTimeoutMs);
    this.#response.once('close', () => timer.cancel());
  }

  /** Whether the reader accepted the data in time. */
  async #drained(signal: AbortSignal): Promise<boolean> {
    const stall = new AbortController();
    const timer = this.#clock.setTimer(() => stall.abort(), stallTimeoutMs);
    try {
      await once(this.#response, 'drain', { signal: AbortSignal.any([signal, stall.signal]) });
      return true;
    } catch {
      return false;
    } finally {
      timer.cancel();
    }
  }
}
