import type { Clock, Timer } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import {
  type BrowserMessage,
  browserTopic,
  readBrowserMessage,
  viewerGoneMs,
  viewersTopic,
  watchEveryMs,
} from '../../../rules/browser/live-browser.ts';
import { getTask } from '../../../store/tasks/tasks.ts';
import type { TaskKey } from '../../../store/events/task-key.ts';
import type { BrowserLook, FeedItem } from '../../contract/feed.ts';
import type { Context, StreamContext } from '../../contract/operation.ts';
import { TaskWatch } from '../../events/feed-watch.ts';

/** Names one page of a caller to the worker; nobody else can speak for it. */
export function nameViewer({ principal }: Context, viewId: string): string {
  return `${principal.accountId}:${viewId}`;
}

export function channelOf({ channel }: Context): Broadcast {
  if (channel) return channel;
  throw new Fault(
    'failed_precondition',
    'This process cannot hear the workers: it needs ERRAND_SECRET, the one of the other processes.',
  );
}

/** The newest of what a browser says: a reader that is slow misses the pictures before. */
class NewestLook {
  #message: BrowserMessage | null = null;
  #picture: BrowserMessage['picture'];
  #isNew = false;
  readonly #clock: Clock;
  /** When the worker last said something; never while there is nothing that it could take back. */
  #receivedAt = Infinity;
  /** Whether the reader was told that nobody drives, while the browser may have stayed as it was. */
  #isLost = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** When the browser counts as gone if no further message arrives. A worker that holds it answers every viewer before that. */
  get goneAt(): number {
    return this.#receivedAt + viewerGoneMs;
  }

  add(message: BrowserMessage): void {
    this.#message = message;
    this.#receivedAt = message.isOpen ? this.#clock.monotonic() : Infinity;
    this.#picture = message.picture ?? this.#picture;
    this.#isNew ||= message.picture !== undefined || (this.#isLost && message.isOpen);
  }

  /** The newest look at the browser; null if there is none, or it was taken before. */
  take(viewer: string): BrowserLook | null {
    const isGone = this.#clock.monotonic() >= this.goneAt;
    if (isGone) this.add({ isOpen: false, holder: null, isHeld: false });
    const message = this.#message;
    if (!message) return null;
    this.#isLost = isGone || (this.#isLost && !message.isOpen);
    const picture = this.#isNew ? this.#picture : undefined;
    this.#message = null;
    this.#isNew = false;
    const { isOpen, holder, isHeld } = message;
    const person = holder === viewer ? 'you' : 'person';
    return {
      driver: !isOpen ? 'nobody' : holder === null ? 'agent' : person,
      is_ready: isHeld,
      picture: picture?.data ?? null,
      width: this.#picture?.width ?? 0,
      height: this.#picture?.height ?? 0,
    };
  }
}

/** Calls it now and again and again, until the returned function is called. */
function repeat(clock: Clock, act: () => void): () => void {
  let timer: Timer;
  const go = () => {
    timer = clock.setTimer(go, watchEveryMs);
    act();
  };
  go();
  return () => timer.cancel();
}

async function mayWatch(key: TaskKey, { access, read }: StreamContext): Promise<boolean> {
  if (!(await access.isStillValid())) return false;
  const task = await read(getTask, key).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return null;
    // A store that is away for a moment ends nothing.
    if (error instanceof Fault && error.code === 'unavailable') return 'away';
    throw error;
  });
  return task !== null;
}

/**
 * Follows the browser of a task. It is said again and again that the reader watches, however slowly that one reads, because the worker
 * forgets it otherwise. Ends when the task is deleted, the caller loses access, or the signal aborts.
 */
export async function* followBrowser(
  context: StreamContext,
  { key, viewer }: { key: TaskKey; viewer: string },
  signal: AbortSignal,
): AsyncGenerator<readonly FeedItem[]> {
  const channel = channelOf(context);
  const { clock } = context;
  const watch = new TaskWatch(clock, signal);
  const newest = new NewestLook(clock);
  const say = (kind: 'watch' | 'leave') => channel.publish(viewersTopic(key.taskId), JSON.stringify({ kind, viewer }));
  const unsubscribe = channel.subscribe(browserTopic(key.taskId), (text) => {
    const message = readBrowserMessage(text);
    if (!message) return;
    newest.add(message);
    watch.stir();
  });
  let checkAt = clock.monotonic();
  let endSaying: (() => void) | undefined;
  try {
    for (;;) {
      if (clock.monotonic() >= checkAt) {
        if (!(await mayWatch(key, context))) return;
        endSaying ??= repeat(clock, () => say('watch'));
        checkAt = clock.monotonic() + watchEveryMs;
      }
      const browser = newest.take(viewer);
      if (browser) yield [{ kind: 'browser', browser }];
      if ((await watch.next(Math.min(checkAt, newest.goneAt))) === 'end') return;
    }
  } finally {
    endSaying?.();
    say('leave');
    unsubscribe();
  }
}
