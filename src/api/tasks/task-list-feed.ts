import { pause } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { credentialsKey, taskKey, tasksKey } from '@errand/base/signals/hints.ts';
import type { TaskRecord } from '../../store/tasks/task-record.ts';
import { searchTasks } from '../../store/tasks/task-search.ts';
import type { FeedItem, ListChange } from '../contract/feed.ts';
import type { StreamContext } from '../contract/operation.ts';
import { presentTask } from './task-object.ts';
import { TaskWatch, type Wake } from '../events/feed-watch.ts';

/** Number of newest tasks that are followed: one page of the list. */
const followedCount = 50;
/** Running tasks log many events per second; the list is not read more often than this. */
const minIntervalMs = 500;
/** If the store is slow, each read is followed by a pause this many times as long, up to a maximum. */
const pauseRatio = 10;
const maxIntervalMs = 5000;
/** The maximum delay of a change whose hint is lost. */
const pollMs = 20_000;
/** Retry interval while the store is unavailable. */
const retryIntervalMs = 2000;

/** The newest tasks as last read, with a hint subscription for each. */
class NewestTasks {
  readonly #context: StreamContext;
  readonly #onHint: () => void;
  #known: ReadonlyMap<string, { text: string; unsubscribe(): void }> | null = null;

  constructor(context: StreamContext, onHint: () => void) {
    this.#context = context;
    this.#onHint = onHint;
  }

  /** What has changed since the last read; null if nothing has. */
  async look(): Promise<ListChange | null> {
    const found = await this.#read();
    const before = this.#known;
    const known = new Map<string, { text: string; unsubscribe(): void }>();
    const tasks: { id: string }[] = [];
    // Another read finds changes between reading a task and subscribing to it.
    if (found.some(({ id }) => before?.has(id) !== true)) this.#onHint();
    for (const record of found) {
      const task = presentTask(record, this.#context);
      // Every event changes `updated_at`, which no list shows.
      const text = JSON.stringify({ ...task, updated_at: 0 });
      const last = before?.get(task.id);
      if (last?.text !== text) tasks.push(task);
      known.set(task.id, { text, unsubscribe: last?.unsubscribe ?? this.#subscribe(task.id) });
    }
    this.#known = known;
    const missing = [...(before ?? [])].filter(([id]) => !known.has(id));
    for (const [, { unsubscribe }] of missing) unsubscribe();
    // Older than the oldest of a full list: not deleted, only no longer among the newest.
    const oldest = found.length < followedCount ? '' : (found.at(-1)?.id ?? '');
    const gone = missing.flatMap(([id]) => (id > oldest ? id : []));
    if (before && tasks.length === 0 && gone.length === 0) return null;
    return { is_whole: before === null, tasks, gone };
  }

  end(): void {
    for (const { unsubscribe } of this.#known?.values() ?? []) unsubscribe();
  }

  #subscribe(taskId: string): () => void {
    return this.#context.hints.subscribe(taskKey(taskId), this.#onHint);
  }

  #read(): Promise<TaskRecord[]> {
    return this.#context.read(searchTasks, {
      accountId: this.#context.principal.accountId,
      afterId: null,
      order: 'desc',
      sortBy: 'created_at',
      texts: [],
      statuses: null,
      createdFromMs: null,
      createdUntilMs: null,
      projectId: null,
      isListedOnly: true,
      limit: followedCount,
    });
  }
}

/** The result of a read; `away` while the store is unavailable, `over` once the caller has lost access. */
async function lookOnce(context: StreamContext, newest: NewestTasks): Promise<ListChange | 'away' | 'over' | null> {
  try {
    return (await context.access.isStillValid()) ? await newest.look() : 'over';
  } catch (error) {
    if (error instanceof Fault && error.code === 'unavailable') return 'away';
    throw error;
  }
}

/**
 * Follows the newest tasks of the caller as the web application lists them: first all of them, then new, changed and deleted
 * ones. Hints trigger reads of the database. Ends when the caller's credential becomes invalid or the signal aborts, but not
 * while the store is unavailable.
 */
export async function* followTaskList(context: StreamContext, signal: AbortSignal): AsyncGenerator<readonly FeedItem[]> {
  const { clock, hints, principal } = context;
  const watch = new TaskWatch(clock, signal);
  const onHint = () => watch.look();
  const subscriptions = [hints.subscribe(tasksKey(principal.accountId), onHint), hints.subscribe(credentialsKey, onHint)];
  const newest = new NewestTasks(context, onHint);
  let lookAt = 0;
  try {
    for (let wake: Wake = 'look'; wake !== 'end'; wake = await watch.next(lookAt)) {
      const beganAt = clock.monotonic();
      const list = await lookOnce(context, newest);
      if (list === 'over') return;
      const endedAt = clock.monotonic();
      if (list !== null && list !== 'away') yield [{ kind: 'list', list }];
      lookAt = endedAt + (list === 'away' ? retryIntervalMs : pollMs);
      await pause(clock, Math.min(maxIntervalMs, Math.max(minIntervalMs, (endedAt - beganAt) * pauseRatio)), signal);
    }
  } finally {
    newest.end();
    for (const unsubscribe of subscriptions) unsubscribe();
  }
}
