import { describe, expect, it, vi } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { claim, createClaimed, modelFinished, modelStarted, nextMs, stopped } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { LeaseLost } from '../../agent/journal.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { emptyState, foldAll } from '../../rules/tasks/task-state.ts';
import { readLog } from '../../store/events/events.ts';
import { readLease } from '../../store/tasks/task-leases.ts';
import { deleteTask, messageTask, stopTask } from '../../store/tasks/tasks.ts';
import { catchUp } from './task-folding.ts';
import { TaskJournal } from './task-journal.ts';

async function openJournal() {
  const clock = new TestClock();
  const database = new MemoryDatabase(clock);
  const lease = await createClaimed(database);
  const release = new AbortController();
  const journal = new TaskJournal({ database, clock, lease, state: foldAll(lease.events ?? []), release });
  const say = (text: string) =>
    database.run(messageTask, { ...lease, now: nextMs(), message: { type: 'user_message', text, kind: 'text' }, profile: null });
  const stop = () => database.run(stopTask, { ...lease, now: nextMs() });
  const readWhole = async () => foldAll(await database.run(readLog, { ...lease, afterSeq: 0, limit: 5000 }));
  return { clock, database, lease, release, journal, say, stop, readWhole };
}

/** An effect that ends only when its signal aborts. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });

describe('append', () => {
  it('stores events and folds them', async () => {
    const { journal, readWhole } = await openJournal();
    await journal.append([modelStarted]);
    await journal.append([modelFinished()]);
    expect(journal.state.seq).toBe(4);
    expect(journal.state).toEqual(await readWhole());
  });

  it('folds events that arrived before its own', async () => {
    const { journal, say, readWhole } = await openJournal();
    await journal.append([modelStarted]);
    await say('Also this.');
    await journal.append([modelFinished()]);
    expect(journal.state.transcript.at(-1)).toMatchObject({ role: 'user', text: 'Also this.' });
    expect(journal.state).toEqual(await readWhole());
  });

  it('catches up over many pages', async () => {
    const { journal, say, readWhole } = await openJournal();
    for (let count = 0; count < 1100; count += 1) await say(`${count}`);
    await journal.append([modelStarted]);
    expect(journal.state.seq).toBe(1103);
    expect(journal.state).toEqual(await readWhole());
  });

  it('stores nothing and rejects once the task is stopped, deleted or taken over', async () => {
    for (const operation of [stopTask, deleteTask]) {
      const { database, journal, lease } = await openJournal();
      await database.run(operation as typeof stopTask, { ...lease, now: nextMs() });
      await expect(journal.append([modelStarted])).rejects.toBeInstanceOf(LeaseLost);
      expect(journal.state.seq).toBe(2);
    }
    const { clock, database, journal } = await openJournal();
    clock.jump(3_600_000);
    await claim(database, { workerId: 'w2' });
    await expect(journal.append([modelStarted])).rejects.toBeInstanceOf(LeaseLost);
  });

  it('does not even try after the lease is released', async () => {
    const { database, journal, release } = await openJournal();
    release.abort(new LeaseLost());
    const run = vi.spyOn(database, 'run');
    await expect(journal.append([modelStarted])).rejects.toBeInstanceOf(LeaseLost);
    expect(run).not.toHaveBeenCalled();
  });
});

describe('appendIfCurrent', () => {
  it('stores only if no message has arrived, and otherwise folds the messages', async () => {
    const { journal, say, readWhole } = await openJournal();
    await journal.append([modelStarted, modelFinished()]);
    await say('One more thing.');
    expect(await journal.appendIfCurrent([stopped])).toBe(false);
    expect(journal.state.transcript.at(-1)).toMatchObject({ role: 'user', text: 'One more thing.' });
    expect(journal.state).toEqual(await readWhole());
    expect(await journal.appendIfCurrent([stopped])).toBe(true);
    expect(journal.state).toMatchObject({ status: 'stopped' });
    expect(journal.state).toEqual(await readWhole());
  });

  it('rejects once the lease is lost', async () => {
    const { journal, stop } = await openJournal();
    await stop();
    await expect(journal.appendIfCurrent([modelStarted])).rejects.toBeInstanceOf(LeaseLost);
  });
});

const called = modelFinished('', { type: 'call', id: 'c1', tool: 'read_file', input: {} });
const answered: TaskEvent = {
  type: 'tool_finished',
  ...{ callId: 'c1', tool: 'read_file', status: 'success', output: 'The text.', brief: 'Read', action: 'Reading', param: '' },
};
const nextStarted: TaskEvent = {
  type: 'model_started',
  ...{ step: 2, attempt: 1, model: 'test/one', estimatedInput: 1, estimatedCost: 1 },
};
const demand = { input: 1, perOutput: 1, mostOutput: 1 };

describe('hold', () => {
  async function openHeld() {
    const opened = await openJournal();
    await opened.journal.append([modelStarted, called]);
    await opened.journal.hold([answered]);
    const run = vi.spyOn(opened.database, 'run');
    const listWrites = () => run.mock.calls.flatMap(([{ name, access }]) => (access === 'read' ? [] : [name]));
    return { ...opened, listWrites };
  }

  it('folds events at once and stores them in the write that begins the next call', async () => {
    const { journal, listWrites, readWhole } = await openHeld();
    expect(journal.state.transcript.at(-1)).toMatchObject({ role: 'tool', results: [{ output: 'The text.' }] });
    expect((await readWhole()).seq).toBe(4);
    expect(await journal.begin(nextStarted, demand, false)).toEqual({ outcome: 'logged', outputLimit: null });
    expect(listWrites()).toEqual(['leases.append']);
    expect(journal.state).toMatchObject({ seq: 6, modelOpen: true });
    expect(journal.state).toEqual(await readWhole());
  });

  it('stores them first whatever else comes next', async () => {
    const steps: ((journal: TaskJournal) => Promise<unknown>)[] = [
      (journal) => journal.storeHeld(),
      (journal) => journal.append([nextStarted]),
      (journal) => journal.hold([]),
      (journal) => journal.attend(() => Promise.resolve()),
      (journal) => journal.begin(nextStarted, demand, true),
      (journal) => journal.appendIfCurrent([nextStarted]),
      (journal) => journal.appendCall([nextStarted]),
    ];
    for (const step of steps) {
      const { journal, readWhole } = await openHeld();
      await step(journal);
      expect((await readWhole()).transcript).toEqual(journal.state.transcript);
      expect((await readWhole()).pending).toEqual([]);
    }
  });

  it('folds a message that arrived meanwhile, before the events', async () => {
    const { journal, say, readWhole } = await openHeld();
    await say('Also this.');
    await journal.begin(nextStarted, demand, false);
    expect(journal.state.seq).toBe(7);
    expect(journal.state).toEqual(await readWhole());
  });

  it('stores no ending of somebody who has not seen a message that arrived meanwhile', async () => {
    for (const end of ['appendIfCurrent', 'appendCall'] as const) {
      const { journal, say, readWhole } = await openHeld();
      await say('One more thing.');
      expect(await journal[end]([stopped])).toBe(end === 'appendCall' ? 'behind' : false);
      expect(journal.state).toMatchObject({ status: 'running', seq: 6 });
      expect(journal.state).toEqual(await readWhole());
    }
  });

  it('stores them on their own before a call that budgets limit', async () => {
    const { database, journal, listWrites, readWhole } = await openHeld();
    database.query('UPDATE tasks SET budget_root = id');
    expect(await journal.begin(nextStarted, demand, false)).toMatchObject({ outcome: 'logged' });
    expect(listWrites()).toEqual(['leases.append', 'leases.append', 'budgets.beginCall']);
    expect(journal.state).toEqual(await readWhole());
    await journal.append([modelFinished('', { type: 'call', id: 'c2', tool: 'read_file', input: {} })]);
    await journal.hold([{ ...answered, callId: 'c2' }]);
    expect(journal.state).toEqual(await readWhole());
  });

  it('forgets them when the task is lost or the store fails', async () => {
    const { journal, stop } = await openHeld();
    await stop();
    await expect(journal.begin(nextStarted, demand, false)).rejects.toBeInstanceOf(LeaseLost);
    journal.close();
    expect(journal.state.seq).toBe(4);
    const failing = await openHeld();
    failing.database.interference.before = () => {
      throw new Error('the store is away');
    };
    await expect(failing.journal.storeHeld()).rejects.toThrow('the store is away');
    expect(failing.journal.state.seq).toBe(4);
  });
});

describe('attend', () => {
  it('returns the result of the effect', async () => {
    const { journal } = await openJournal();
    expect(await journal.attend(() => Promise.resolve(7))).toBe(7);
    await expect(journal.attend(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('aborts immediately when the task is stopped meanwhile', async () => {
    const { journal, stop } = await openJournal();
    const attending = journal.attend(endless);
    await stop();
    await expect(attending).rejects.toBeInstanceOf(LeaseLost);
  });

  it('aborts if the task was stopped before it started but after the last write', async () => {
    const { journal, stop } = await openJournal();
    await journal.append([modelStarted]);
    await stop();
    await expect(journal.attend(endless)).rejects.toBeInstanceOf(LeaseLost);
  });

  it('rejects even if the effect finishes after the task is lost', async () => {
    const { journal, release } = await openJournal();
    const attending = journal.attend(async () => {
      release.abort(new LeaseLost());
      await Promise.resolve();
      return 7;
    });
    await expect(attending).rejects.toBeInstanceOf(LeaseLost);
    await expect(journal.attend(() => Promise.resolve(7))).rejects.toBeInstanceOf(LeaseLost);
  });

  it('continues through messages and through a store outage', async () => {
    const { database, journal, say, stop } = await openJournal();
    const gate = Promise.withResolvers<number>();
    const attending = journal.attend(() => gate.promise);
    database.interference.before = ({ operation }) => {
      if (operation === readLease.name) throw new Error('the store is away');
    };
    await say('Still there?');
    await new Promise((resolve) => setImmediate(resolve));
    database.interference = {};
    gate.resolve(7);
    expect(await attending).toBe(7);
    const endlessly = journal.attend(endless);
    await stop();
    await expect(endlessly).rejects.toBeInstanceOf(LeaseLost);
  });

  it('does not query the store for its own writes', async () => {
    const { database, journal } = await openJournal();
    await journal.append([modelStarted]);
    const run = vi.spyOn(database, 'run');
    await journal.attend(() => new Promise((resolve) => setImmediate(resolve)));
    expect(run).not.toHaveBeenCalled();
  });

  it('misses no stop, whenever it arrives between two writes and a check', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      const { database, journal, say, stop } = await openJournal();
      // A check is in progress while the next write starts, and the stop comes a few turns later.
      await say('x');
      const first = journal.attend(() => Promise.resolve(1));
      await first;
      const writing = journal.append([modelStarted]);
      for (let step = 0; step < turn; step += 1) await Promise.resolve();
      const stopping = stop();
      const lost = writing.then(() => journal.attend(endless));
      await expect(lost).rejects.toBeInstanceOf(LeaseLost);
      await stopping;
      await database.close();
    }
  });

  it('notices a stop during an effect also after another one within it has ended', async () => {
    const { journal, stop } = await openJournal();
    await journal.append([modelStarted]);
    const outer = journal.attend(async (signal) => {
      await journal.attend(() => Promise.resolve());
      return endless(signal);
    });
    await stop();
    await expect(outer).rejects.toBeInstanceOf(LeaseLost);
  });

  it('receives no events once the journal is closed', async () => {
    const { database, journal, say } = await openJournal();
    await journal.append([modelStarted]);
    journal.close();
    const run = vi.spyOn(database, 'run');
    void journal.attend(() => new Promise(() => undefined));
    await say('x');
    expect(run).toHaveBeenCalledOnce();
  });

  it('checks before its first effect, because a stop may have come before it subscribed', async () => {
    const { clock, database, lease, stop } = await openJournal();
    await stop();
    const late = new TaskJournal({ database, clock, lease, state: foldAll(lease.events ?? []), release: new AbortController() });
    await expect(late.attend(endless)).rejects.toBeInstanceOf(LeaseLost);
  });
});

describe('catchUp', () => {
  it('reads the whole log of a task that a worker takes over', async () => {
    const { database, lease, journal } = await openJournal();
    await journal.append([modelStarted, modelFinished()]);
    expect(await catchUp(database, lease, emptyState)).toEqual(journal.state);
  });
});
