import type { Clock, Timer } from '@errand/base/clock.ts';
import type { GcraLimiter } from '@errand/base/load/gcra-limiter.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import { Wakeups } from '@errand/base/signals/wakeups.ts';
import {
  type BrowserInput,
  type BrowserPicture,
  browserTopic,
  isHarmlessJpeg,
  readViewerMessage,
  viewerGoneMs,
  type ViewerMessage,
  viewersTopic,
} from '../../rules/browser/live-browser.ts';
import type { LiveCommand } from './browser-messages.ts';
import { TypedTexts } from './typed-texts.ts';

const lookMs = 1000;
/** A person who does nothing for this long gives the browser back. */
const restMs = 10 * 60_000;
/** After this time, a picture above the limit is retried, or the one that has arrived in its place. */
const laterMs = 250;

export interface LiveBrowserParts {
  accountId: string;
  taskId: string;
  /** Where viewers are heard; null where there are none. */
  channel: Broadcast | null;
  clock: Clock;
  /** How much an account is shown: one attempt for each kilobyte. */
  pace: Pick<GcraLimiter, 'take'>;
  /** Sends a command to the driver of the browser, if it runs. */
  command(command: LiveCommand): void;
  /** Whether the machine can do without another browser for agents. */
  mayTake(): boolean;
  /** The browser was given back. */
  onFree(): void;
}

/** The browser of a task for people: those who look at it, and the one who has taken it over. Nothing of it is kept. */
export class LiveBrowser {
  readonly typed = new TypedTexts();
  readonly #parts: LiveBrowserParts;
  /** When each last watched, and whether it has left since. */
  readonly #viewers = new Map<string, { watchedAt: number; hasLeft: boolean }>();
  readonly #freed = new Wakeups();
  readonly #unsubscribe: () => void;
  #holder: { viewer: string; actedAt: number } | null = null;
  #isCalled = false;
  #isOpen = false;
  #last: BrowserPicture | null = null;
  /** Runs until there is room for the last picture, if there was none. */
  #later: Timer | null = null;
  #timer: Timer | null = null;

  constructor(parts: LiveBrowserParts) {
    this.#parts = parts;
    this.#unsubscribe =
      parts.channel?.subscribe(viewersTopic(parts.taskId), (text) => {
        const message = readViewerMessage(text);
        if (message) this.#receive(message);
      }) ?? (() => undefined);
  }

  get isTaken(): boolean {
    return this.#holder !== null;
  }

  /** A call of the agent has begun or ended: a person who takes the browser over waits for its end. */
  setCalled(isCalled: boolean): void {
    this.#isCalled = isCalled;
    this.#report();
  }

  /** The process of the browser has begun or ended. */
  setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    if (!isOpen) {
      this.#last = null;
      this.#free();
    } else if (this.#viewers.size > 0) {
      this.#parts.command({ do: 'watch', on: true });
    }
    this.#report();
  }

  /** Resolves when no person has the browser. */
  async untilFree(signal: AbortSignal): Promise<void> {
    while (this.#holder !== null) {
      signal.throwIfAborted();
      await this.#freed.wait(signal);
    }
    signal.throwIfAborted();
  }

  /** Passes a picture on that came out of the sandbox, if it is one; later, or a newer one, if the account has been shown too much. */
  show(picture: BrowserPicture): void {
    if (this.#viewers.size === 0 || !isHarmlessJpeg(picture.data)) return;
    this.#last = picture;
    if (this.#later === null) this.#showLast();
  }

  /** What a page shows last stays, so it must arrive. */
  #showLast(): void {
    this.#later = null;
    if (this.#last === null || this.#viewers.size === 0) return;
    const { pace, accountId, clock } = this.#parts;
    const kilobytes = Math.ceil(this.#last.data.length / 1024);
    if (pace.take(accountId, kilobytes) === 0) this.#report(this.#last);
    else this.#later = clock.setTimer(() => this.#showLast(), laterMs);
  }

  close(): void {
    this.setOpen(false);
    this.#unsubscribe();
    this.#timer?.cancel();
    this.#later?.cancel();
    this.#viewers.clear();
  }

  #receive(message: ViewerMessage): void {
    const { viewer, kind } = message;
    const now = this.#parts.clock.monotonic();
    if (kind === 'watch') this.#welcome(viewer, now);
    else if (kind === 'leave') this.#part(viewer, now);
    else if (kind === 'take') this.#take(viewer, now);
    else if (this.#holder?.viewer !== viewer) return;
    else if (message.kind === 'input') this.#input(message.inputs, now);
    else this.#free();
  }

  #welcome(viewer: string, now: number): void {
    const isNew = this.#viewers.get(viewer)?.hasLeft ?? true;
    this.#viewers.set(viewer, { watchedAt: now, hasLeft: false });
    this.#timer ??= this.#parts.clock.setTimer(() => this.#look(), lookMs);
    // So that who watches knows that this worker is there.
    if (!isNew) return this.#report();
    if (this.#viewers.size === 1 && this.#isOpen) this.#parts.command({ do: 'watch', on: true });
    this.#report(this.#last ?? undefined);
  }

  #take(viewer: string, now: number): void {
    const isRefused = this.#holder !== null || !this.#isOpen || !this.#viewers.has(viewer) || !this.#parts.mayTake();
    if (!isRefused) this.#holder = { viewer, actedAt: now };
    this.#report();
  }

  #input(inputs: readonly BrowserInput[], now: number): void {
    if (this.#isCalled || this.#holder === null) return;
    this.#holder.actedAt = now;
    for (const input of inputs) this.typed.note(input);
    this.#parts.command({ do: 'input', inputs });
  }

  #free(): void {
    if (this.#holder === null) return;
    this.#holder = null;
    this.typed.end();
    this.#parts.command({ do: 'release' });
    this.#freed.wake();
    this.#parts.onFree();
    this.#report();
  }

  /**
   * Handles a viewer that disconnected. The person who holds the browser may come back, because a broken connection looks like a closed
   * page.
   */
  #part(viewer: string, now: number): void {
    if (this.#holder?.viewer === viewer) this.#viewers.set(viewer, { watchedAt: now, hasLeft: true });
    else this.#remove(viewer);
  }

  #remove(viewer: string): void {
    this.#viewers.delete(viewer);
    if (this.#holder?.viewer === viewer) this.#free();
    if (this.#viewers.size > 0) return;
    this.#last = null;
    this.#timer?.cancel();
    this.#timer = null;
    this.#parts.command({ do: 'watch', on: false });
  }

  #look(): void {
    const now = this.#parts.clock.monotonic();
    this.#timer = this.#parts.clock.setTimer(() => this.#look(), lookMs);
    for (const [viewer, { watchedAt }] of [...this.#viewers]) if (now - watchedAt > viewerGoneMs) this.#remove(viewer);
    if (this.#holder !== null && now - this.#holder.actedAt > restMs) this.#free();
  }

  #report(picture?: BrowserPicture): void {
    if (this.#viewers.size === 0) return;
    const holder = this.#holder?.viewer ?? null;
    const message = { isOpen: this.#isOpen, holder, isHeld: holder !== null && !this.#isCalled, ...(picture && { picture }) };
    this.#parts.channel?.publish(browserTopic(this.#parts.taskId), JSON.stringify(message));
  }
}
