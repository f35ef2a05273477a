import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { type Counts, countOperations, countRuns, Traffic } from '../../../test/support/db/counted-operations.ts';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { createMigratedDatabase, dropDatabase } from '../../../test/support/db/postgres.ts';
import { say } from '../../../test/support/tasks/agent-under-test.ts';
import { WorkersOn } from '../../../test/support/tasks/workers-under-test.ts';
import type { Database } from '../../store/db/database.ts';
import { readLog } from '../../store/events/events.ts';
import { openPostgres } from '../../store/postgres-open.ts';
import { claimTasks } from '../../store/tasks/claims/task-claims.ts';
import { appendEvents } from '../../store/tasks/task-leases.ts';
import { messageTask } from '../../store/tasks/tasks.ts';

const early = 20;
const late = 900;
/** Turns taken at each length: a claim that found nothing may fall into one of them, so the cheapest counts. */
const samples = 5;
/** As many as one statement takes. */
const turnsAtOnce = 100;
/** A process that is new to a task reads what was logged since its state was stored, and that is done every 256 events. */
const unsavedEvents = 256;

async function openStore(engine: string, clock: TestClock, traffic: Traffic) {
  if (engine === 'sqlite') {
    const database: Database = new MemoryDatabase(clock, countOperations(traffic));
    return { database, close: () => database.close() };
  }
  const url = await createMigratedDatabase();
  const database: Database = await openPostgres(url, clock);
  countRuns(database, traffic);
  return {
    database,
    async close() {
      await database.close();
      await dropDatabase(url);
    },
  };
}

/** A message as long as that of any other turn. */
const message = { type: 'user_message' as const, text: 'And what now?', kind: 'text' as const };

const place = { slots: 1, held: [], afterAccount: '', canTakeQuarantined: true, isIdle: true };

/** One conversation, and what its turns ask the database for. */
class Conversation {
  readonly #workers: WorkersOn<Database>;
  readonly #traffic: Traffic;
  readonly #task: { accountId: string; taskId: string };

  constructor(workers: WorkersOn<Database>, traffic: Traffic, task: { accountId: string; taskId: string }) {
    this.#workers = workers;
    this.#traffic = traffic;
    this.#task = task;
  }

  /** A turn, from its message until the worker has let go of the task. */
  async takeTurn(): Promise<Counts> {
    this.#traffic.take();
    await this.#send();
    return this.rest();
  }

  /** The least that one of the next turns asks for. */
  async measure(): Promise<Counts> {
    const taken: Counts[] = [];
    for (let count = 0; count < samples; count += 1) taken.push(await this.takeTurn());
    const least = (of: (one: Counts) => number) => Math.min(...taken.map(of));
    return { statements: least((one) => one.statements), rows: least((one) => one.rows), bytes: least((one) => one.bytes) };
  }

  /** Logs what these many turns like the last one log, in few writes; no worker runs meanwhile. */
  async append(turns: number): Promise<void> {
    const { database, clock } = this.#workers;
    const log = await database.run(readLog, { ...this.#task, afterSeq: 0, limit: 1000 });
    const from = log.findLastIndex(({ event }) => event.type === 'user_message');
    const turn = log.slice(from).map(({ event }) => event);
    await this.#send();
    const { tasks } = await database.run(claimTasks, { workerId: 'builder', ttlMs: 60_000, ...place });
    const lease = { ...this.#task, fence: tasks[0]?.fence ?? 0 };
    for (let left = turns; left > 0; left -= turnsAtOnce) {
      const isLast = left <= turnsAtOnce;
      // Each begins after a message, and all but the last end with one.
      const events = Array.from({ length: Math.min(left, turnsAtOnce) }, () => [...turn.slice(1), ...turn.slice(0, 1)]).flat();
      if (isLast) events.pop();
      const result = await database.run(appendEvents, { ...lease, now: clock.now(), events, expectSeq: null });
      if (result.outcome !== 'logged') throw new Error(`appending turns: ${result.outcome}`);
    }
  }

  async rest(): Promise<Counts> {
    const total: Counts = { statements: 0, rows: 0, bytes: 0 };
    for (;;) {
      await this.#workers.clock.advance(0);
      const isStopped = (await this.#workers.readStatus(this.#task.accountId, this.#task.taskId)) === 'stopped';
      const { statements, rows, bytes } = this.#traffic.take();
      total.statements += statements;
      total.rows += rows;
      total.bytes += bytes;
      if (isStopped && statements === 0) return total;
    }
  }

  async #send(): Promise<void> {
    const { database, clock } = this.#workers;
    await database.run(messageTask, { ...this.#task, now: clock.now(), message, profile: null });
  }
}

describe.each(['sqlite', 'postgres'])('a turn of a conversation on %s', (engine) => {
  const clock = new TestClock();
  const traffic = new Traffic();
  let opened: Awaited<ReturnType<typeof openStore>>;
  beforeAll(async () => {
    opened = await openStore(engine, clock, traffic);
  });
  afterAll(() => opened.close());

  it(`asks the database for as much when it is the ${late}th as when it is the ${early}th`, async () => {
    const workers = new WorkersOn(opened.database, clock, () => say('Done.'), [], {});
    const [one, two] = [workers.makeWorker(4), workers.makeWorker(4)];
    await one.start();
    const [taskId = ''] = await workers.create('a1', 1);
    const conversation = new Conversation(workers, traffic, { accountId: 'a1', taskId });
    await conversation.rest();
    for (let turn = 2; turn < early; turn += 1) await conversation.takeTurn();
    const short = await conversation.measure();
    await one.stop();
    await conversation.append(late - early - samples);
    await two.start();
    // The first turn of a process that is new to the task, which stores its state.
    await conversation.takeTurn();
    const long = await conversation.measure();
    expect(long.statements).toBe(short.statements);
    expect(long.rows).toBe(short.rows);
    // Later events have longer numbers.
    expect(long.bytes).toBeLessThan(short.bytes * 1.02);
    await two.stop();
    const three = workers.makeWorker(4);
    await three.start();
    const first = await conversation.takeTurn();
    expect(first.rows).toBeLessThan(short.rows + unsavedEvents);
    await three.stop();
  });
});
