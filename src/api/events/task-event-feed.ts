import type { Delta } from '@errand/base/signals/deltas.ts';
import { Fault } from '@errand/base/fault.ts';
import { credentialsKey, taskKey } from '@errand/base/signals/hints.ts';
import { presentEvent } from '../../rules/events/present.ts';
import { readShown } from '../../store/events/events.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import { getTask } from '../../store/tasks/tasks.ts';
import { attachmentView } from './attachment-view.ts';
import { DeltaBuffer } from './delta-buffer.ts';
import type { FeedItem } from '../contract/feed.ts';
import type { StreamContext } from '../contract/operation.ts';
import { TaskWatch, type Wake } from './feed-watch.ts';

export interface FeedOptions {
  /** Events after this position in the log. */
  afterSeq: number;
  isVerbose: boolean;
  wantsDeltas: boolean;
}

/** Few, because one event can be large and every reader holds one page. */
const pageSize = 8;
/** How long a lost hint can delay a reader: this, and up to half as much again. */
const pollMs = 10_000;
const pollSpreadMs = 5000;
/** Retry interval while the store is unavailable. */
const retryIntervalMs = 1000;

/** Varies by task, so that streams which woke together do not keep polling together. */
function choosePollMs(taskId: string): number {
  let spread = 0;
  for (const character of taskId) spread = (spread * 31 + character.charCodeAt(0)) % pollSpreadMs;
  return pollMs + spread;
}

/** The events of one task from a position in its log, each once and in order. */
class LogReader {
  readonly #context: StreamContext;
  readonly #key: TaskKey;
  readonly #isVerbose: boolean;
  #seq: number;

  constructor(context: StreamContext, key: TaskKey, options: FeedOptions) {
    this.#context = context;
    this.#key = key;
    this.#isVerbose = options.isVerbose;
    this.#seq = options.afterSeq;
  }

  /** Pages up to the current end of the log. Throws 404 `not_found` if the task is deleted. */
  async *readOn(signal: AbortSignal): AsyncGenerator<FeedItem[]> {
    const { lastSeq } = await this.#context.read(getTask, this.#key);
    const { backfills, principal } = this.#context;
    while (this.#seq < lastSeq) {
      const isBehind = lastSeq - this.#seq > pageSize;
      const read = () => this.#readPage(lastSeq);
      const items = await (isBehind ? backfills.run({ owner: principal.accountId, signal }, read) : read());
      if (items.length > 0) yield items;
    }
  }

  async #readPage(lastSeq: number): Promise<FeedItem[]> {
    const place = { ...this.#key, order: 'asc' as const, isVerbose: this.#isVerbose, fromSeq: this.#seq, limit: pageSize };
    const page = await this.#context.read(readShown, place);
    const lastRead = page.at(-1)?.seq ?? 0;
    // A short page ends after everything that was in the log when `lastSeq` was read, visible or not.
    this.#seq = page.length < pageSize ? Math.max(lastRead, lastSeq) : lastRead;
    const view = attachmentView(this.#context.urls, this.#key.accountId);
    const events = page.flatMap((logged) => presentEvent(this.#key.taskId, logged, view) ?? []);
    return events.map((event) => ({ kind: 'event', event }));
  }
}

/** How a read of the log ended: at its end, early because the store is unavailable, or permanently. */
type Outcome = 'read' | 'away' | 'over';

/** Pages until the end of the log, if the caller may still see it. */
async function* lookAtLog(context: StreamContext, reader: LogReader, signal: AbortSignal): AsyncGenerator<FeedItem[], Outcome> {
  try {
    if (!(await context.isStillValid())) return 'over';
    yield* reader.readOn(signal);
    return 'read';
  } catch (error) {
    if (signal.aborted) return 'over';
    if (error instanceof Fault && error.code === 'unavailable') return 'away';
    if (error instanceof Fault && error.code === 'not_found') return 'over';
    throw error;
  }
}

/**
 * Follows a task: first what is in its log (backfill), then what is added (live). The hint subscription starts before the backfill, so
 * nothing can be missed in between. A hint only triggers a read; events come from the database alone, after the position of the last one,
 * so none is lost or repeated. Ends when the task is deleted, when the caller's credential becomes invalid, or when the signal aborts; a
 * temporary store outage does not end it.
 */
export async function* followTask(
  context: StreamContext,
  key: TaskKey,
  options: FeedOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly FeedItem[]> {
  const watch = new TaskWatch(context.clock, signal);
  const deltas = new DeltaBuffer();
  const receive = (delta: Delta) => {
    deltas.add(delta);
    watch.stir();
  };
  const subscriptions = [
    context.hints.subscribe(taskKey(key.taskId), () => watch.look()),
    context.hints.subscribe(credentialsKey, () => watch.look()),
    ...(options.wantsDeltas ? [context.deltas.subscribe(key.taskId, receive)] : []),
  ];
  try {
    const reader = new LogReader(context, key, options);
    const idleMs = choosePollMs(key.taskId);
    let lookAt = 0;
    // Backfill, then live: the same read of the log, now and on every wake-up.
    for (let wake: Wake = 'look'; wake !== 'end'; wake = await watch.next(lookAt)) {
      const pieces = deltas.take();
      if (pieces.length > 0) yield pieces.map((delta): FeedItem => ({ kind: 'delta', delta }));
      if (wake === 'deltas') continue;
      const outcome = yield* lookAtLog(context, reader, signal);
      if (outcome === 'over') return;
      lookAt = context.clock.monotonic() + (outcome === 'away' ? retryIntervalMs : idleMs);
    }
  } finally {
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}
