import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OpenStore, describeStores } from '../../../test/support/db/databases.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { say } from '../../../test/support/tasks/agent-under-test.ts';
import { makeLog } from '../../../test/support/tasks/task-logs.ts';
import type { LoggedEvent, TaskEvent } from '../../rules/events/task-event.ts';
import { nextStep } from '../../rules/tasks/next-step.ts';
import { emptyState, foldAll } from '../../rules/tasks/task-state.ts';
import type { Database } from '../../store/db/database.ts';
import { insertEvents, readLog } from '../../store/events/events.ts';
import type { ClaimedTask } from '../../store/tasks/task-claims.ts';
import { messageTask } from '../../store/tasks/tasks.ts';
import { StateCache } from './state-cache.ts';
import { foldClaimed } from './task-folding.ts';

/** Counts the events that this store's readers of logs are given. */
function countEvents(database: Database): { read: number } {
  const counted = { read: 0 };
  const run = database.run.bind(database);
  database.run = async (operation, ...rest) => {
    const result = await run(operation, ...rest);
    if (operation.name === readLog.name) counted.read += (result as LoggedEvent[]).length;
    return result;
  };
  return counted;
}

const usage = { input: 1, output: 1, cached: 0 };

/** What compacts a conversation of this length. */
function compact(length: number, choice: number): TaskEvent[] {
  if (choice % 2 === 0) return [{ type: 'context_cleared', before: length - 1, results: clearAll(length) }];
  const from = choice % length;
  const kept = Array.from({ length: from }, (_, at) => at).filter((at) => (at + choice) % 3 === 0);
  return [
    { type: 'compact_started', attempt: 1, model: 'test/one', estimatedInput: 1 },
    { type: 'compacted', summary: `summary ${choice}`, kept, from, usage },
  ];
}

function clearAll(length: number) {
  return Array.from({ length }, (_, entry) => ({ entry, result: 0, path: null, head: 3 }));
}

/** A legal log in which the context is compacted now and then. */
function makeCompactedLog(choices: readonly number[]): LoggedEvent[] {
  let at = 0;
  const log: LoggedEvent[] = [];
  let state = emptyState;
  const batches = makeLog(Math.ceil(choices.length / 4), () => choices[at++ % choices.length] ?? 0);
  for (const [index, batch] of batches.entries()) {
    const choice = choices[index % choices.length] ?? 0;
    const isDue = choice % 5 === 0 && !state.modelOpen && nextStep(state).do === 'model' && state.transcript.length > 2;
    const events = [...(isDue ? compact(state.transcript.length, choice) : []), ...batch.map(({ event }) => event)];
    const logged = events.map((event, each) => ({ seq: state.seq + 1 + each, atMs: state.lastAtMs + 1 + each, event }));
    state = foldAll(logged, state);
    log.push(...logged);
  }
  return log;
}

/** What befalls a task: `whole` says how much of the rest of the log is written, or of the log is lost. */
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom('write', 'turn', 'turn', 'cut-off turn', 'cancelled claim', 'crash', 'restore'),
    worker: fc.nat({ max: 1 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 4, maxLength: 30 },
);

/** One task whose log, fence and workers a test moves. */
class TaskUnderTest {
  readonly caches = [0, 1].map(() => new StateCache({ clock: new TestClock() }));
  readonly #store: OpenStore;
  readonly #planned: LoggedEvent[];
  /** How much of the plan is in the log. */
  length = 0;
  #fence = 1;
  /** Fences that backups have kept, by the length of the log. */
  readonly #fences = new Map<number, number>();

  constructor(store: OpenStore, planned: LoggedEvent[]) {
    this.#store = store;
    this.#planned = planned;
  }

  get log(): LoggedEvent[] {
    return this.#planned.slice(0, this.length);
  }

  async write(part: number): Promise<void> {
    const events = this.#planned.slice(this.length, this.length + Math.ceil(part * 20));
    for (const { seq, atMs, event } of events) {
      const { sql, params } = insertEvents('a1', 't1', seq, atMs, [event]);
      await this.#store.query(sql, ...params);
    }
    this.length += events.length;
    this.#fences.set(this.length, this.#fence);
  }

  /** An earlier copy takes the place of the database; what is written from now on has later times, and may be other events. */
  async restore(part: number, other: readonly LoggedEvent[]): Promise<void> {
    const same = this.#planned.findIndex(({ event }, at) => JSON.stringify(other[at]?.event) !== JSON.stringify(event));
    const kept = Math.min(Math.floor(part * this.length), same === -1 ? this.length : same);
    await this.#store.query('DELETE FROM events WHERE seq > ?', kept);
    const lostMs = 1 + Math.max(0, ...this.#planned.map(({ atMs }) => atMs));
    const anew = other.slice(kept).map((logged) => ({ ...logged, atMs: logged.atMs + lostMs }));
    this.#planned.splice(kept, Number.POSITIVE_INFINITY, ...anew);
    this.length = kept;
    this.#fence = this.#fences.get(kept) ?? 1;
  }

  claim(crashes: number): ClaimedTask {
    this.#fence += 1;
    const row = { isInteractive: true, profile: 'p', locale: 'en', parentId: null, depth: 0 };
    return { accountId: 'a1', taskId: 't1', fence: this.#fence, crashes, lastSeq: this.length, events: null, ...row };
  }
}

describeStores('the folded state of a claimed task', (store) => {
  it('is that of its whole log, whatever a process has kept, written or lost before', async () => {
    const choices = fc.array(fc.nat({ max: 59 }), { minLength: 120, maxLength: 240, size: 'max' });
    await fc.assert(
      fc.asyncProperty(choices, choices, fc.nat({ max: 200 }), happenings, async (first, second, cut, happened) => {
        await store.query('DELETE FROM events');
        const task = new TaskUnderTest(store, makeCompactedLog(first));
        const other = makeCompactedLog([...first.slice(0, cut), ...second]);
        await task.write(1);
        for (const { what, worker, part } of happened) {
          if (what === 'write') await task.write(part);
          else if (what === 'restore') await task.restore(part, other);
          else {
            const cache = task.caches[worker] ?? task.caches[0];
            if (!cache) return;
            const claimed = task.claim(what === 'crash' ? 1 : 0);
            const state = await foldClaimed(claimed, store.database, cache);
            expect(state).toEqual(foldAll(task.log));
            if (what === 'cancelled claim') continue;
            // A run that is cut off has folded less than others have written meanwhile.
            if (what === 'turn') await task.write(part);
            cache.keep(claimed, what === 'turn' ? foldAll(task.log.slice(state.seq), state) : state);
          }
        }
      }),
      { numRuns: store.engine === 'sqlite' ? 40 : 15 },
    );
  });

  it('is not taken from another log of the same length, which a restored database has', async () => {
    const choices = Array.from({ length: 160 }, (_, at) => (at * 7) % 60);
    const task = new TaskUnderTest(store, makeCompactedLog(choices));
    while (task.length < 40) await task.write(1);
    const [cache] = task.caches;
    if (!cache) throw new Error('no worker');
    const claimed = task.claim(0);
    cache.keep(claimed, await foldClaimed(claimed, store.database, cache));
    const { length } = task;
    await task.restore(0.5, makeCompactedLog(choices.map((each, at) => (at < 40 ? each : (each + 1) % 60))));
    while (task.length < length) await task.write((length - task.length) / 20);
    for (let claims = 0; claims < 5; claims += 1) task.claim(0);
    expect(await foldClaimed(task.claim(0), store.database, cache)).toEqual(foldAll(task.log));
  });
});

describe('a turn of a long conversation', () => {
  it('reads and folds as many events as one of a short conversation', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const worker = workers.makeWorker(4);
    await worker.start();
    const [taskId = ''] = await workers.create('a1', 1);
    await workers.clock.advance(0);
    const counted = countEvents(workers.database);
    const readByTurn: number[] = [];
    for (let turn = 2; turn <= 200; turn += 1) {
      counted.read = 0;
      const message = { type: 'user_message' as const, text: `message ${turn}`, kind: 'text' as const };
      await workers.database.run(messageTask, { accountId: 'a1', taskId, now: workers.clock.now(), message, profile: null });
      await workers.clock.advance(0);
      expect(await workers.readStatus('a1', taskId)).toBe('stopped');
      readByTurn.push(counted.read);
    }
    const long = readByTurn.slice(8);
    // The message, the status that it changes, and the event before them, which proves that the log is still the same.
    expect(new Set(long)).toEqual(new Set([3]));
    await worker.stop();
  });
});
