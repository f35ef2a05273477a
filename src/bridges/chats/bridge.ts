import { pause } from '@errand/base/clock.ts';
import { type JobState, Worker } from '@errand/base/worker.ts';
import { type BridgeHold, claimBridge, noteBot, notePosition, releaseBridge, renewBridge } from '../../store/bridges/bridges.ts';
import { ChatReceiver } from './chat-receiver.ts';
import { Outbox } from './outbox.ts';
import { ChatFault } from '../platform/chat-platform.ts';
import type { PlatformPorts } from './bridge-ports.ts';

export interface BridgeParts extends PlatformPorts {
  owner: string;
  /** No other process can have the store open. */
  isAlone: boolean;
  /** How long a crashed process blocks the platform for others. */
  leaseMs: number;
}

const retryIntervalMs = 5000;
const deniedRetryIntervalMs = 60_000;

/** Connects one chat platform to the main tasks of accounts, in whichever process has the lease. */
export class Bridge extends Worker {
  readonly #parts: BridgeParts;
  #outbox: Outbox | null = null;

  constructor(parts: BridgeParts) {
    const { clock, log, platform } = parts;
    super({
      name: `bridge-${platform.name}`,
      clock,
      log,
      pollMs: deniedRetryIntervalMs,
      failure: `the bridge to ${platform.name} does not work`,
    });
    this.#parts = parts;
  }

  /** Fails while its chats do. */
  override get state(): JobState {
    const [own, chats] = [super.state, this.#outbox?.state];
    if (own.failure !== null || !chats) return own;
    return { ...own, failure: chats.failure, failingSinceMs: chats.failingSinceMs };
  }

  protected async work(): Promise<boolean> {
    try {
      const waitMs = await this.#serve(this.signal);
      this.wakeIn(waitMs);
      return waitMs === 0;
    } catch (error) {
      const isDenied = error instanceof ChatFault && error.kind === 'denied';
      if (isDenied && !this.signal.aborted)
        this.#parts.log.error({ platform: this.#parts.platform.name }, 'the platform does not accept its token');
      this.wakeIn(isDenied ? deniedRetryIntervalMs : retryIntervalMs);
      throw error;
    }
  }

  /** Serves the platform while the lease holds; returns how long to wait before the next attempt. */
  async #serve(signal: AbortSignal): Promise<number> {
    const { database, platform, owner, isAlone, leaseMs } = this.#parts;
    const hold = await database.run(claimBridge, { platform: platform.name, owner, ttlMs: leaseMs, isAlone });
    if (!hold) return leaseMs / 3;
    const over = new AbortController();
    const held = AbortSignal.any([signal, over.signal]);
    const keeping = this.#keepLease(hold, held, () => over.abort());
    try {
      await this.#connect(hold, held, over);
    } finally {
      over.abort();
      await keeping;
      await database.run(releaseBridge, hold).catch(() => undefined);
    }
    return 0;
  }

  /** The lease counts as lost before the database grants it to another process. */
  async #keepLease(hold: BridgeHold, signal: AbortSignal, lose: () => void): Promise<void> {
    const { database, clock, leaseMs } = this.#parts;
    const renewMs = leaseMs / 3;
    let goodUntil = clock.monotonic() + leaseMs - renewMs;
    while (!signal.aborted) {
      await pause(clock, renewMs, signal);
      if (signal.aborted) return;
      const askedAt = clock.monotonic();
      const kept = await database.run(renewBridge, { ...hold, ttlMs: leaseMs }).catch(() => null);
      if (kept) goodUntil = askedAt + leaseMs - renewMs;
      if (kept === false || clock.monotonic() > goodUntil) return lose();
    }
  }

  async #connect(hold: BridgeHold, signal: AbortSignal, over: AbortController): Promise<void> {
    const { database, clock, log, platform } = this.#parts;
    const { bot, name } = await platform.identify(signal);
    const position = await database.run(noteBot, { ...hold, bot, name });
    log.info({ platform: platform.name, bot: name }, 'a bridge is open');
    this.succeed();
    const outbox = new Outbox({ ...this.#parts, hold, bot, signal });
    const receiver = new ChatReceiver({
      ...{ ...this.#parts, bot, signal },
      expectOutcome: (chatId, seq, outcome) => outbox.expectOutcome(chatId, seq, outcome),
      revive: (chatId) => outbox.revive(chatId),
    });
    await outbox.start();
    this.#outbox = outbox;
    try {
      await platform.listen({
        position,
        take: (incoming) => receiver.take(incoming),
        async savePosition(value) {
          await database.run(notePosition, { ...hold, position: value, now: clock.now() });
        },
        listReceived: () => outbox.listChats(),
        signal,
      });
    } finally {
      over.abort();
      this.#outbox = null;
      await outbox.stop();
    }
  }
}
