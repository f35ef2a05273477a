import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OpenStore, describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, newAccountId } from '../../../test/support/db/store-samples.ts';
import { countRounds } from '../../../test/support/process/crash-run.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { WorkersUnderTest } from '../../../test/support/tasks/workers-under-test.ts';
import { say } from '../../../test/support/tasks/agent-under-test.ts';
import { makeLog } from '../../../test/support/tasks/task-logs.ts';
import type { LoggedEvent, TaskEvent } from '../../rules/events/task-event.ts';
import { foldVersion } from '../../rules/tasks/fold-version.ts';
import { nextStep } from '../../rules/tasks/next-step.ts';
import { emptyState, foldAll } from '../../rules/tasks/task-state.ts';
import type { Database } from '../../store/db/database.ts';
import { insertEvents } from '../../store/events/events.ts';
import { type EventPage, readLogPage } from '../../store/events/sized-page.ts';
import type { ClaimedTask } from '../../store/tasks/claims/task-claims.ts';
import { deleteTask, messageTask } from '../../store/tasks/tasks.ts';
import { StateCache } from './state-cache.ts';
import { foldClaimed, saveFolded } from './task-folding.ts';

/** Counts the events that this store's readers of logs are given. */
function countEvents(database: Database): { read: number } {
  const counted = { read: 0 };
  const run = database.run.bind(database);
  database.run = async (operation, ...rest) => {
    const result = await run(operation, ...rest);
    if (operation.name === readLogPage.name) counted.read += (result as EventPage).events.length;
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

/** What befalls a task: `part` says how much is written, or how much of the log is lost. */
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom(
      'write',
      'turn',
      'turn',
      'turn of a new process',
      'cut-off turn',
      'cancelled claim',
      'crash',
      'restore',
    ),
    worker: fc.nat({ max: 1 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 4, maxLength: 30 },
);

/** One task whose log, fence and workers a test moves. */
class TaskUnderTest {
  readonly #store: OpenStore;
  readonly #planned: LoggedEvent[];
  readonly #key: { accountId: string; taskId: string };
  /** How much of the plan is in the log. */
  length = 0;
  #fence = 1;
  /** Fences by the length of the log. */
  readonly #fences = new Map<number, number>();

  private constructor(store: OpenStore, planned: LoggedEvent[], key: { accountId: string; taskId: string }) {
    this.#store = store;
    this.#planned = planned;
    this.#key = key;
  }

  static async create(store: OpenStore, planned: LoggedEvent[]): Promise<TaskUnderTest> {
    const accountId = newAccountId();
    const [taskId = ''] = await createTasks(store.database, accountId, 1);
    await store.query('DELETE FROM events');
    return new TaskUnderTest(store, planned, { accountId, taskId });
  }

  get log(): LoggedEvent[] {
    return this.#planned.slice(0, this.length);
  }

  async write(part: number): Promise<void> {
    const events = this.#planned.slice(this.length, this.length + Math.ceil(part * 200));
    const [first] = events;
    if (!first) return;
    const { accountId, taskId } = this.#key;
    const { sql, params } = insertEvents(
      accountId,
      taskId,
      first.seq,
      first.atMs,
      events.map(({ event }) => event),
    );
    await this.#store.query(sql, ...params);
    this.length += events.length;
    this.#fences.set(this.length, this.#fence);
  }

  /**
   * An earlier copy takes the place of the log; what is written from now on has later times, and may be other events. The stored state
   * stays, which is worse than what a restored database has.
   */
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

  async claim(crashes = 0): Promise<ClaimedTask> {
    this.#fence += 1;
    await this.#store.query('UPDATE tasks SET fence = ?', this.#fence);
    const row = {
      isInteractive: true,
      profile: 'p',
      locale: 'en',
      parentId: null,
      depth: 0,
      externalUserId: null,
      traceparent: null,
      lastEnd: 'takeover' as const,
      ...{ weight: 1, hasBrands: false, hasMemories: false, hasTeams: false, hasWorkspaceSave: false },
      isLimited: false,
    };
    return { ...this.#key, fence: this.#fence, crashes, lastSeq: this.length, events: null, ...row };
  }

  /** A turn in which this part is written. */
  async turn(cache: StateCache, part: number): Promise<void> {
    const claimed = await this.claim();
    const { state, savedSeq } = await foldClaimed(claimed, this.#store.database, cache);
    await this.write(part);
    const after = { state: foldAll(this.log.slice(state.seq), state), savedSeq };
    cache.keep(claimed, { ...after, savedSeq: await saveFolded(this.#store.database, claimed, after) });
  }
}

const openCache = () => new StateCache({ clock: new TestClock() });

describeStores('the folded state of a claimed task', (store) => {
  it('is that of its whole log, whatever a process has kept, stored, or lost before', async () => {
    const choices = fc.array(fc.nat({ max: 59 }), { minLength: 1200, maxLength: 1400, size: 'max' });
    await fc.assert(
      fc.asyncProperty(choices, choices, fc.nat({ max: 1200 }), happenings, async (first, second, cut, happened) => {
        const task = await TaskUnderTest.create(store, makeCompactedLog(first));
        const other = makeCompactedLog([...first.slice(0, cut), ...second]);
        const caches = [openCache(), openCache()];
        await task.write(1);
        for (const { what, worker, part } of happened) {
          const cache = (what === 'turn of a new process' ? undefined : caches[worker]) ?? openCache();
          if (what === 'write') await task.write(part);
          else if (what === 'restore') await task.restore(part, other);
          else if (what.startsWith('turn')) await task.turn(cache, part);
          else {
            const claimed = await task.claim(what === 'crash' ? 1 : 0);
            const folded = await foldClaimed(claimed, store.database, cache);
            // A run that is cut off has folded less than others have written meanwhile.
            if (what === 'cut-off turn') cache.keep(claimed, folded);
          }
          const whole = foldAll(task.log);
          for (const each of [...caches, openCache()]) {
            const { state } = await foldClaimed(await task.claim(), store.database, each);
            expect(state).toEqual(whole);
          }
        }
      }),
      { numRuns: countRounds({ gate: 8, night: store.engine === 'sqlite' ? 25 : 10 }) },
    );
  });

  it('is not taken from another log of the same length, which a restored database has', async () => {
    const choices = Array.from({ length: 1600 }, (_, at) => (at * 7) % 60);
    const task = await TaskUnderTest.create(store, makeCompactedLog(choices));
    const caches = [openCache(), openCache()];
    for (const cache of caches) while (task.length < 280) await task.turn(cache, 0.2);
    const { length } = task;
    await task.restore(0.5, makeCompactedLog(choices.map((each, at) => (at < 400 ? each : (each + 1) % 60))));
    while (task.length < length) await task.write((length - task.length) / 200);
    for (let claims = 0; claims < 50; claims += 1) await task.claim();
    for (const cache of [...caches, openCache()]) {
      const { state } = await foldClaimed(await task.claim(), store.database, cache);
      expect(state).toEqual(foldAll(task.log));
    }
  });

  it('is stored only by the worker that claimed the task last, and deleted with the task', async () => {
    const task = await TaskUnderTest.create(store, makeCompactedLog(Array.from({ length: 1600 }, (_, at) => (at * 7) % 60)));
    while (task.length < 300) await task.write(1);
    const claimed = await task.claim();
    const { state } = await foldClaimed(claimed, store.database, openCache());
    await task.claim();
    expect(await saveFolded(store.database, claimed, { state, savedSeq: 0 })).toBe(0);
    expect(await store.query('SELECT 1 FROM folded_states')).toEqual([]);
    expect(await saveFolded(store.database, await task.claim(), { state, savedSeq: 0 })).toBe(state.seq);
    expect(await store.query('SELECT version FROM folded_states')).toEqual([{ version: foldVersion }]);
    await store.query('UPDATE folded_states SET version = version + 1');
    expect(await foldClaimed(await task.claim(), store.database, openCache())).toEqual({ state, savedSeq: 0 });
    await store.database.run(deleteTask, claimed);
    expect(await store.query('SELECT 1 FROM folded_states')).toEqual([]);
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

  it('on a process that is new to it reads what was logged since its state was stored', async () => {
    const workers = new WorkersUnderTest(() => say('Done.'));
    const [one, two] = [workers.makeWorker(4), workers.makeWorker(4)];
    await one.start();
    const [taskId = ''] = await workers.create('a1', 1);
    const task = { accountId: 'a1', taskId };
    const speak = async (count: number) => {
      for (let turn = 1; turn <= count; turn += 1) {
        const message = { type: 'user_message' as const, text: `message ${turn}`, kind: 'text' as const };
        await workers.database.run(messageTask, { ...task, now: workers.clock.now(), message, profile: null });
        await workers.clock.advance(0);
        expect(await workers.readStatus('a1', taskId)).toBe('stopped');
      }
    };
    await workers.clock.advance(0);
    await speak(200);
    await one.stop();
    await two.start();
    const counted = countEvents(workers.database);
    await speak(1);
    expect(counted.read).toBeGreaterThan(0);
    expect(counted.read).toBeLessThan(256 + 10);
    await two.stop();
  });
});
