import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import {
  boundPlaces,
  createPlace,
  packPlaces,
  type Place,
  textOfMessage,
  unmark,
  unpackPlaces,
} from '../../rules/search/searched-task.ts';
import { collectWords } from '../../rules/search/words.ts';
import type { LoggedEvent } from '../../rules/events/task-event.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import { saveSearched, type SaveSearchedArgs } from '../../store/search/searched-tasks.ts';
import {
  claimTasksToIndex,
  type DeliveredPlace,
  hasTasksToIndex,
  type IndexedTask,
  readIndexedTask,
  readSaid,
  type TaskToIndex,
} from '../../store/search/search-queue.ts';
import { isTextFile, readSearchedFile } from './searched-files.ts';

export interface SearchWorkerParts {
  database: Database;
  blobs: Blobs;
  clock: Clock;
  log: Log;
  /** Whether this process works on tasks, which come first. */
  isBusy(): boolean;
}

const pollMs = 1000;
/** How long another indexer leaves a task alone. */
const leaseMs = 60_000;
const tasksAtOnce = 8;
/** Messages and replies; long ones take milliseconds each. */
const eventsAtOnce = 10;
const mostFiles = 20;
/** Words of a name. */
const longestName = 100;
/** Pauses after a round, as multiples of its duration. */
const pauses = { busy: 9, idle: 1 };

const keyOf = ({ kind, seq, artifactId }: Pick<Place, 'kind' | 'seq' | 'artifactId'>) => `${kind} ${artifactId ?? seq}`;

function placeOfEvent({ seq, event }: LoggedEvent): Place {
  const kind = event.type === 'user_message' ? 'message' : 'reply';
  return createPlace({ kind, seq, artifactId: null, version: 0 }, textOfMessage(event as { text?: unknown }));
}

/** Stores the words of tasks, so that they are found; in small rounds that leave most of the time to tasks. */
export class SearchWorker extends Worker {
  readonly #parts: SearchWorkerParts;
  /** Until when the worker pauses, on the monotonic clock. */
  #pausedUntil = 0;

  constructor(parts: SearchWorkerParts) {
    const { clock, log } = parts;
    super({
      name: 'search-worker',
      clock,
      log,
      pollMs,
      drainMs: 2000,
      failure: 'tasks could not be indexed for search; it is tried again',
    });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    const { database, clock, isBusy } = this.#parts;
    const beganAt = clock.monotonic();
    if (beganAt < this.#pausedUntil || !(await database.run(hasTasksToIndex, null))) return false;
    const tasks = await database.run(claimTasksToIndex, { leaseMs, limit: tasksAtOnce });
    // A stop waits for a round. Those that it cannot wait for are indexed by another process, or after the next start.
    for (const task of tasks) if (!this.signal.aborted) await this.#index(task);
    const endedAt = clock.monotonic();
    const pauseMs = (endedAt - beganAt) * (isBusy() ? pauses.busy : pauses.idle);
    this.#pausedUntil = endedAt + pauseMs;
    if (tasks.length === tasksAtOnce) this.wakeIn(pauseMs);
    return false;
  }

  async #index(task: TaskToIndex): Promise<void> {
    const { database } = this.#parts;
    const { accountId, taskId } = task;
    const known = await database.run(readIndexedTask, { accountId, taskId, files: mostFiles });
    if (!known) return;
    const formerSeq = known.seq;
    const unchanged: SaveSearchedArgs = { task, formerSeq, seq: formerSeq ?? 0, found: null, files: [] };
    await database.run(saveSearched, known.isListed ? await this.#read(task, known) : unchanged);
  }

  /** What the task has now: what was stored before, and what has come since. */
  async #read(task: TaskToIndex, known: IndexedTask): Promise<SaveSearchedArgs> {
    const { accountId, taskId } = task;
    const before = unpackPlaces(known.stored);
    const files = await this.#readFiles(accountId, known.delivered, before);
    const title = createPlace({ kind: 'title', seq: 0, artifactId: null, version: 0 }, `${known.title} ${taskId}`);
    const fresh = new Set([title, ...files.map(({ place }) => place)].map(keyOf));
    const kept = before.filter((place) => !fresh.has(keyOf(place)));
    const said = await this.#readLog(task, known.seq ?? 0, [title, ...kept]);
    // What was delivered in a turn is newer than what was asked for.
    const places = boundPlaces([...said.places, ...files.map(({ place }) => place)]);
    const { seq } = said;
    const contents = files.flatMap(({ place, text }) =>
      place.artifactId === null ? [] : [{ artifactId: place.artifactId, content: text }],
    );
    const found = packPlaces(accountId, places, unmark(known.stored.words));
    const isNew = known.seq === null || JSON.stringify(found) !== JSON.stringify(known.stored);
    return { task, formerSeq: known.seq, seq, found: isNew ? found : null, files: contents };
  }

  /** Adds what was said since; memory holds no more than a task may have. */
  async #readLog({ accountId, taskId }: TaskToIndex, afterSeq: number, known: readonly Place[]) {
    const { database } = this.#parts;
    let [places, seq] = [boundPlaces(known), afterSeq];
    for (;;) {
      const events = await database.run(readSaid, { accountId, taskId, afterSeq: seq, limit: eventsAtOnce });
      places = boundPlaces([...places, ...events.map(placeOfEvent)]);
      seq = events.at(-1)?.seq ?? seq;
      if (events.length < eventsAtOnce) return { places, seq };
    }
  }

  /** The files that are new, or have a newer version or another name; oldest first. */
  async #readFiles(accountId: string, delivered: readonly DeliveredPlace[], before: readonly Place[]) {
    const stored = new Map(before.map((place) => [`${place.artifactId ?? ''} ${place.version}`, new Set(place.words)]));
    const files: { place: Place; text: string }[] = [];
    for (const { artifactId, version, filename, displayName, attachment } of delivered.toReversed()) {
      const words = stored.get(`${artifactId} ${version}`);
      if (words && collectWords(displayName, longestName).every((word) => words.has(word))) continue;
      const content =
        attachment && isTextFile(attachment) ? await readSearchedFile(this.#parts.blobs, accountId, attachment) : '';
      const text = [...new Set([displayName, filename]), content].join(' ').trim();
      files.push({ place: createPlace({ kind: 'file', seq: 0, artifactId, version }, text), text });
    }
    return files;
  }
}
