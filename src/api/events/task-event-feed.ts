import type { Delta } from '@errand/base/signals/deltas.ts';
import { Fault } from '@errand/base/fault.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import type { FeedItem, LogLook, ReaderAccess } from '../contract/feed.ts';
import type { StreamContext } from '../contract/operation.ts';
import { DeltaBuffer } from './delta-buffer.ts';
import { TaskWatch, type Wake } from './feed-watch.ts';

export interface FeedOptions {
  access: ReaderAccess;
  /** Events after this position in the log. */
  afterSeq: number;
  isVerbose: boolean;
  wantsDeltas: boolean;
  /** Whether messages say who wrote them; not for readers from elsewhere. */
  showsAccount: boolean;
}

/** How a read of the log ended: at its end, early because the store is unavailable, or permanently. */
type Outcome = 'read' | 'away' | 'over';

/** A position in the log of a task: events from there on, each once and in order. */
class LogReader {
  readonly #access: ReaderAccess;
  #seq: number;

  constructor({ access, afterSeq }: FeedOptions) {
    this.#access = access;
    this.#seq = afterSeq;
  }

  /** Pages up to the end of the log, if the reader may still see it. */
  async *readOn(look: LogLook): AsyncGenerator<readonly FeedItem[], Outcome> {
    try {
      if (!(await look.isAllowed(this.#access))) return 'over';
      for (;;) {
        const { items, seq, isLast } = await look.readPage(this.#seq);
        this.#seq = seq;
        if (items.length > 0) yield items;
        if (isLast) return 'read';
      }
    } catch (error) {
      if (error instanceof Fault && error.code === 'unavailable') return 'away';
      if (error instanceof Fault && error.code === 'not_found') return 'over';
      throw error;
    }
  }
}

/**
 * Follows a task: first what is in its log (backfill), then what is added (live). The reader joins those who wait for the log before the
 * backfill, so nothing can be missed in between. A wake-up only triggers a read; events come from the database alone, after the position of
 * the last one, so none is lost or repeated. Ends when the task is deleted, when the caller's credential becomes invalid, or when the signal
 * aborts; a temporary store outage does not end it.
 */
export async function* followTask(
  { clock, logs, deltas: source }: Pick<StreamContext, 'clock' | 'logs' | 'deltas'>,
  key: TaskKey,
  options: FeedOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly FeedItem[]> {
  const watch = new TaskWatch(clock, signal);
  const deltas = new DeltaBuffer();
  const receive = (delta: Delta) => {
    deltas.add(delta);
    watch.stir();
  };
  const { isVerbose, showsAccount } = options;
  const log = logs.follow({ key, isVerbose, showsAccount }, options.access, () => watch.look());
  const unsubscribe = options.wantsDeltas ? source.subscribe(key.taskId, receive) : () => undefined;
  try {
    const reader = new LogReader(options);
    let isFirst = true;
    // Backfill, then live: the same read of the log, now and on every wake-up.
    for (let wake: Wake = 'look'; wake !== 'end'; wake = await watch.next()) {
      const pieces = deltas.take();
      if (pieces.length > 0) yield pieces.map((delta): FeedItem => ({ kind: 'delta', delta }));
      if (wake === 'deltas') continue;
      const outcome = yield* reader.readOn(isFirst ? log.lookFirst() : log.look());
      isFirst = false;
      if (outcome === 'over') return;
      if (outcome === 'away') log.retryLater();
    }
  } finally {
    log.leave();
    unsubscribe();
  }
}
