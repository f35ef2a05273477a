import type { StreamItem, TaskEvent } from '@errand/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Conversation } from '../conversation/conversation.ts';
import type { FeedPorts, HistoryPage, StreamCall, Trouble } from './feed-ports.ts';
import { TaskFeed } from './task-feed.ts';

class Refusal extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble.kind);
    this.trouble = trouble;
  }
}

/** A connection of the feed as the service sees it. */
class Line {
  readonly sent: StreamItem[] = [];
  wake: () => void = () => undefined;
  isCut = false;

  async *read({ signal, onReceived }: StreamCall): AsyncGenerator<StreamItem> {
    onReceived();
    for (;;) {
      for (let item = this.sent.shift(); item; item = this.sent.shift()) {
        onReceived();
        yield item;
      }
      signal.throwIfAborted();
      if (this.isCut) throw new Refusal({ kind: 'passing', retryAfterMs: null });
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    }
  }
}

/** A service, a browser and their clock. */
class World implements FeedPorts {
  readonly log: TaskEvent[] = [];
  lines: Line[] = [];
  online = true;
  visible = true;
  refusal: Trouble | null = null;
  streamCount = 0;
  resumedBehind: string | null = null;
  #nowMs = 1_000;
  #timers: { atMs: number; callback: () => void }[] = [];
  #listeners = new Set<() => void>();

  say(text: string): void {
    const index = this.log.length;
    const user_message = { content: text, message_type: 'text' as const, attachments: [] };
    const id = `e${String(index).padStart(6, '0')}`;
    const event = { id, timestamp: index, type: 'user_message' as const, user_message };
    this.log.push(event);
    this.send({ kind: 'event', event });
  }

  send(item: StreamItem): void {
    for (const line of this.lines) {
      line.sent.push(item);
      line.wake();
    }
  }

  cut(): void {
    for (const line of this.lines) {
      line.isCut = true;
      line.wake();
    }
    this.lines = [];
  }

  set(state: { online?: boolean; visible?: boolean }): void {
    Object.assign(this, state);
    if (!this.online) this.cut();
    for (const listener of this.#listeners) listener();
  }

  #check(): void {
    if (!this.online) throw new Refusal({ kind: 'passing', retryAfterMs: null });
    if (this.refusal) throw new Refusal(this.refusal);
  }

  async readPage(cursor: string | null, limit: number): Promise<HistoryPage> {
    await Promise.resolve();
    this.#check();
    const end = cursor === null ? this.log.length : Number(cursor);
    const start = Math.max(0, end - limit);
    const messages = this.log.slice(start, end).reverse();
    return start > 0 ? { messages, has_more: true, next_cursor: String(start) } : { messages, has_more: false };
  }

  async *openStream(call: StreamCall): AsyncGenerator<StreamItem> {
    await Promise.resolve();
    this.#check();
    this.streamCount += 1;
    this.resumedBehind = call.lastEventId;
    const line = new Line();
    const behind = this.log.filter(({ id }) => call.lastEventId === null || id > call.lastEventId);
    line.sent.push(...behind.map((event): StreamItem => ({ kind: 'event', event })));
    this.lines.push(line);
    call.signal.addEventListener('abort', () => {
      this.lines = this.lines.filter((each) => each !== line);
    });
    this.#beat(line, call);
    yield* line.read(call);
  }

  /** Heartbeats of a connection that is still alive. */
  #beat(line: Line, { signal, onReceived }: StreamCall): void {
    const cancel = this.setTimer(() => {
      if (!this.lines.includes(line)) return;
      onReceived();
      this.#beat(line, { lastEventId: null, signal, onReceived });
    }, 15_000);
    signal.addEventListener('abort', cancel);
  }

  classify(error: unknown): Trouble {
    return error instanceof Refusal ? error.trouble : { kind: 'passing', retryAfterMs: null };
  }
  isOnline = () => this.online;
  isVisible = () => this.visible;
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  now = () => this.#nowMs;
  setTimer(callback: () => void, ms: number): () => void {
    const timer = { atMs: this.#nowMs + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }
  beforePaint(callback: () => void): void {
    queueMicrotask(callback);
  }
  chance = () => 0.5;

  /** Runs everything that happens automatically. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await this.settle();
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (!next || next.atMs > endMs) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
      await this.settle();
    }
    this.#nowMs = endMs;
  }

  get timerCount(): number {
    return this.#timers.length;
  }
}

function textsOf({ conversation }: TaskFeed): string[] {
  const view = conversation.view();
  return Array.from({ length: view.length }, (_, index) => view.rowAt(index)).flatMap((row) =>
    row?.kind === 'user' || row?.kind === 'pending' ? [row.text] : [],
  );
}

async function begin(world: World): Promise<TaskFeed> {
  const feed = new TaskFeed(world);
  feed.start();
  await world.settle();
  return feed;
}

const anyDeed = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'say' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'cut' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('online' as const), is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('visible' as const), is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'forget' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 700, 30_000, 90_000) }) },
);

describe('a feed', () => {
  it('receives every event once and in order, whatever happens to connections, networks and pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(450), fc.array(anyDeed, { maxLength: 25 }), async (before, deeds) => {
        const world = new World();
        for (let index = 0; index < before; index += 1) world.say(`old ${index}`);
        const feed = await begin(world);
        for (const deed of deeds) {
          if (deed.do === 'say') world.say(`new ${world.log.length}`);
          else if (deed.do === 'cut') world.cut();
          else if (deed.do === 'online') world.set({ online: deed.is });
          else if (deed.do === 'visible') world.set({ visible: deed.is });
          else if (deed.do === 'refuse') world.refusal = deed.is ? { kind: 'passing', retryAfterMs: 100 } : null;
          else if (deed.do === 'forget') world.refusal = { kind: 'lost-place' };
          else await world.pass(deed.ms);
          await world.settle();
          const texts = textsOf(feed);
          expect(new Set(texts).size).toBe(texts.length);
        }
        world.refusal = null;
        world.set({ online: true, visible: true });
        await world.pass(30_000);
        feed.retryNow();
        await world.pass(1_000);
        const whole = new Conversation();
        for (const event of world.log) whole.append(event);
        expect(feed.state.kind).toBe('live');
        expect(feed.history).toBe('complete');
        expect(feed.conversation.eventCount).toBe(world.log.length);
        expect(textsOf(feed)).toEqual(world.log.map((event) => event.type === 'user_message' && event.user_message.content));
        expect(world.lines.length).toBe(1);
        feed.stop();
      }),
      { numRuns: 60 },
    );
  });

  it('shows the newest events before the older ones arrive', async () => {
    const world = new World();
    for (let index = 0; index < 5_000; index += 1) world.say(`old ${index}`);
    const feed = new TaskFeed(world);
    let first: { count: number; newest: string | undefined } | null = null;
    feed.subscribe(() => {
      if (feed.conversation.eventCount > 0) first ??= { count: feed.conversation.eventCount, newest: textsOf(feed).at(-1) };
    });
    feed.start();
    await world.pass(10);
    expect(first).toEqual({ count: 100, newest: 'old 4999' });
    await world.pass(10);
    expect(feed.conversation.eventCount).toBe(5_000);
    feed.stop();
  });

  it('shows when it retries, with growing delays, and retries immediately on request or when the network is back', async () => {
    const world = new World();
    world.say('hello');
    const feed = await begin(world);
    world.refusal = { kind: 'passing', retryAfterMs: null };
    world.cut();
    await world.settle();
    expect(feed.state).toEqual({ kind: 'reconnecting', atMs: world.now() + 375 });
    await world.pass(375);
    expect(feed.state).toEqual({ kind: 'reconnecting', atMs: world.now() + 750 });
    feed.retryNow();
    await world.settle();
    expect(feed.state).toEqual({ kind: 'reconnecting', atMs: world.now() + 1_500 });
    world.set({ online: false });
    await world.pass(100_000);
    expect(feed.state).toEqual({ kind: 'offline' });
    world.refusal = null;
    world.say('meanwhile');
    world.set({ online: true });
    await world.settle();
    expect(feed.state).toEqual({ kind: 'live' });
    expect(textsOf(feed)).toEqual(['hello', 'meanwhile']);
    expect(world.resumedBehind).toBe('e000000');
    feed.stop();
  });

  it('closes the connection while the page is hidden, and resumes when it is visible', async () => {
    const world = new World();
    const feed = await begin(world);
    world.set({ visible: false });
    await world.pass(19_000);
    expect(feed.state).toEqual({ kind: 'live' });
    await world.pass(2_000);
    expect(feed.state).toEqual({ kind: 'asleep' });
    const { streamCount } = world;
    world.lines = [];
    world.say('meanwhile');
    await world.pass(3_600_000);
    expect(world.streamCount).toBe(streamCount);
    world.set({ visible: true });
    await world.settle();
    expect(feed.state).toEqual({ kind: 'live' });
    expect(textsOf(feed)).toEqual(['meanwhile']);
    feed.stop();
  });

  it('shows the stored events without a connection if the page is opened hidden', async () => {
    const world = new World();
    world.say('hello');
    world.set({ visible: false });
    const feed = new TaskFeed(world);
    feed.start();
    await world.settle();
    expect([feed.state, textsOf(feed), world.streamCount]).toEqual([{ kind: 'asleep' }, ['hello'], 0]);
    world.say('meanwhile');
    world.set({ visible: true });
    await world.settle();
    expect([feed.state, textsOf(feed), world.streamCount]).toEqual([{ kind: 'live' }, ['hello', 'meanwhile'], 1]);
    feed.stop();
  });

  it('abandons a silent connection', async () => {
    const world = new World();
    const feed = await begin(world);
    world.lines = [];
    world.say('lost on the way');
    await world.pass(45_000);
    expect(textsOf(feed)).toEqual(['lost on the way']);
    feed.stop();
  });

  it('reloads after a day, because file URLs have expired, and keeps messages that are being sent', async () => {
    const world = new World();
    world.say('hello');
    const feed = await begin(world);
    feed.conversation.addPending({ key: 'k', text: 'unsent', filenames: [], atMs: 0, behind: null });
    world.set({ visible: false });
    await world.pass(25 * 3_600_000);
    const before = feed.conversation;
    world.set({ visible: true });
    await world.settle();
    expect(feed.conversation).not.toBe(before);
    expect(textsOf(feed)).toEqual(['hello', 'unsent']);
    feed.stop();
  });

  it('ends with the reason if it cannot continue', async () => {
    for (const trouble of [{ kind: 'gone' }, { kind: 'signed-out' }, { kind: 'failed', problem: 'no' }] as const) {
      const world = new World();
      const feed = await begin(world);
      world.refusal = trouble;
      world.cut();
      await world.pass(100_000);
      expect(feed.state).toEqual(trouble);
      feed.stop();
    }
  });

  it('leaves no timers or connections when it stops', async () => {
    const world = new World();
    const feed = await begin(world);
    feed.stop();
    await world.settle();
    expect(world.timerCount).toBe(0);
    feed.start();
    await world.settle();
    world.say('again');
    await world.settle();
    expect(textsOf(feed)).toEqual(['again']);
    feed.stop();
  });
});
