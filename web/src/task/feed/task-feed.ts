import type { StreamItem } from '@errand/client';
import { Conversation } from '../conversation/conversation.ts';
import { Doze } from './doze.ts';
import type { FeedPorts } from './feed-ports.ts';
import { History } from './history.ts';
import { Silence, heartbeatTimeoutMs } from './silence.ts';

export type FeedState =
  | { kind: 'loading' | 'connecting' | 'live' | 'offline' | 'asleep' | 'gone' | 'signed-out' }
  | { kind: 'reconnecting'; atMs: number }
  | { kind: 'failed'; problem: string };

/** Small, because nothing is shown before it arrives. */
const firstPageLimit = 100;
const firstRetryMs = 500;
const longestRetryMs = 20_000;
/** A connection that lasted this long, or delivered something, counts as successful. */
const stableAfterMs = 5_000;
/** A hidden page gives up its connection after a while, because browsers allow only a few. */
const idleAfterMs = 20_000;
/** File URLs are valid for 48 hours; older data is reloaded. */
const staleAfterMs = 24 * 3_600_000;

class Interrupted extends Error {}
/**
 * Keeps a task's conversation current: loads the log from the newest events backward, then everything new, across broken connections,
 * offline periods and sleep. Each event is delivered once, because a new connection resumes after the last event read.
 */
export class TaskFeed {
  conversation = new Conversation();
  state: FeedState = { kind: 'loading' };
  /** Grows whenever something that is shown has changed. */
  revision = 0;
  readonly #ports: FeedPorts;
  readonly #doze: Doze;
  readonly #silence: Silence;
  readonly #listeners = new Set<() => void>();
  #life: AbortController | null = null;
  #connection: AbortController | null = null;
  #history: History | null = null;
  #loadedAtMs: number | null = null;
  #isNotifying = false;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#doze = new Doze(ports);
    this.#silence = new Silence(ports);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts, or resumes after `stop`. */
  start(): void {
    if (this.#life) return;
    const life = new AbortController();
    this.#life = life;
    const unwatch = this.#ports.watch(() => this.#lookAround());
    life.signal.addEventListener('abort', unwatch);
    this.#lookAround();
    void this.#live(life.signal);
  }

  stop(): void {
    this.#life?.abort();
    this.#life = null;
  }

  /** How far the older events have been loaded. */
  get history(): History['state'] {
    return this.#history?.state ?? 'loading';
  }

  /** Retries immediately. */
  readonly retryNow = (): void => {
    this.#resumeHistory();
    this.#doze.wake();
  };

  /** Reports that the conversation was changed from outside. */
  readonly touch = (): void => this.#notify();

  async #live(signal: AbortSignal): Promise<void> {
    for (let retry = 0; !signal.aborted; retry += 1) {
      const beganAtMs = this.#ports.now();
      const lastEventId = this.conversation.lastEventId;
      const error = await this.#follow(signal).catch((cause: unknown) => cause);
      if (signal.aborted) return;
      const wasGood = this.#ports.now() - beganAtMs >= stableAfterMs || this.conversation.lastEventId !== lastEventId;
      if (wasGood || error instanceof Interrupted) retry = 0;
      if (!(await this.#recover(error, retry, signal))) return;
    }
  }

  /** Runs until the connection ends, which is never intended. */
  async #follow(signal: AbortSignal): Promise<unknown> {
    if (this.#loadedAtMs !== null && this.#ports.now() - this.#loadedAtMs > staleAfterMs) this.#loadedAtMs = null;
    const connection = new AbortController();
    this.#connection = connection;
    const cease = () => connection.abort(signal.reason);
    signal.addEventListener('abort', cease);
    const unwatch = this.#silence.watch(() => connection.abort(new Error('nothing was heard of the service')));
    try {
      if (this.#loadedAtMs === null) await this.#readNewest(signal, connection.signal);
      if (this.#isResting()) throw new Interrupted();
      this.#setState({ kind: 'connecting' });
      const lastEventId = this.conversation.lastEventId;
      const stream = this.#ports.openStream({ lastEventId, signal: connection.signal, onReceived: () => this.#receive() });
      for await (const item of stream) this.#take(item);
      throw new Error('the stream ended');
    } catch (error) {
      throw connection.signal.aborted && connection.signal.reason instanceof Interrupted ? connection.signal.reason : error;
    } finally {
      signal.removeEventListener('abort', cease);
      unwatch();
      connection.abort();
    }
  }

  /** Waits until a retry makes sense; false if it does not. */
  async #recover(error: unknown, retry: number, signal: AbortSignal): Promise<boolean> {
    const trouble = error instanceof Interrupted ? null : this.#ports.classify(error);
    if (trouble && trouble.kind !== 'passing' && trouble.kind !== 'lost-place') {
      this.#setState(trouble.kind === 'failed' ? trouble : { kind: trouble.kind });
      return false;
    }
    if (trouble?.kind === 'lost-place') this.#loadedAtMs = null;
    if (!this.#ports.isOnline()) {
      this.#setState({ kind: 'offline' });
      // Some browsers cannot detect the network: retry occasionally all the same.
      await this.#doze.for(longestRetryMs, signal);
    } else if (this.#isResting()) {
      this.#setState({ kind: 'asleep' });
      await this.#doze.until(() => this.#ports.isVisible(), signal);
    } else if (trouble) {
      const grown = Math.min(longestRetryMs, firstRetryMs * 2 ** retry) * (0.5 + this.#ports.chance() / 2);
      const ms = Math.max(trouble.kind === 'passing' ? (trouble.retryAfterMs ?? 0) : 0, grown);
      this.#setState({ kind: 'reconnecting', atMs: this.#ports.now() + ms });
      await this.#doze.for(ms, signal);
    }
    return !signal.aborted;
  }

  async #readNewest(life: AbortSignal, signal: AbortSignal): Promise<void> {
    const page = await this.#ports.readPage(null, firstPageLimit, signal);
    this.conversation = this.conversation.renew();
    for (const event of page.messages.toReversed()) this.conversation.append(event);
    this.#loadedAtMs = this.#ports.now();
    const cursor = page.has_more ? (page.next_cursor ?? null) : null;
    const { conversation } = this;
    this.#history = new History(this.#ports, this.#doze, { conversation, cursor, onChange: () => this.#notify() });
    void this.#history.read(life);
  }

  #take(item: StreamItem): void {
    if (item.kind === 'event') this.conversation.append(item.event);
    else if (item.kind === 'delta') this.conversation.addDelta(item.delta);
    else this.conversation.addOutput(item.output);
    this.#notify();
  }

  #receive(): void {
    this.#silence.receive();
    if (this.state.kind === 'live') return;
    this.#setState({ kind: 'live' });
    this.#resumeHistory();
  }

  #resumeHistory(): void {
    if (this.history === 'broken' && this.#life) void this.#history?.read(this.#life.signal);
  }

  #isResting(): boolean {
    return this.#doze.hiddenForMs() >= idleAfterMs;
  }

  /** The network or the page's visibility changed. */
  #lookAround(): void {
    this.#doze.look(idleAfterMs, () => this.#lookAround());
    const isSilent = this.#ports.isVisible() && this.#silence.lastsMs() > heartbeatTimeoutMs / 2;
    if (!this.#ports.isOnline() || this.#isResting() || isSilent) this.#connection?.abort(new Interrupted());
  }

  #setState(state: FeedState): void {
    this.state = state;
    this.#notify();
  }

  #notify(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    this.#ports.beforePaint(() => {
      this.#isNotifying = false;
      this.revision += 1;
      for (const listener of this.#listeners) listener();
    });
  }
}
