import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demandOf } from '../../src/rules/budgets/reservation.ts';
import type { TaskEvent } from '../../src/rules/events/task-event.ts';
import { appendPaid, beginPaidCall } from '../../src/store/tasks/paid-calls.ts';
import type { Database } from '../../src/store/db/database.ts';
import { createSubtask } from '../../src/store/tasks/subtasks.ts';
import type { ClaimedTask } from '../../src/store/tasks/claims/task-claims.ts';
import { createTask, stopTask } from '../../src/store/tasks/tasks.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import type { RemoteStore } from '../support/db/remote-store.ts';
import { claim, newAccountId, nextMs, sampleTask } from '../support/db/store-samples.ts';

/** How many families of tasks are tried on each database. */
const rounds = Number(process.env['ERRAND_TEST_BUDGET_ROUNDS'] ?? 12);
const seed = Number(process.env['ERRAND_TEST_SEED'] ?? 1);

/** Numbers that look random and are the same for the same seed. */
function createChance(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const price = { input: 100, output: 1000 };
const stopped: TaskEvent = { type: 'stopped', by: 'agent' };
const usage = { input: 1, output: 1, cached: 0 };

interface Family {
  store: OpenStore;
  /** Where calls are made: four processes on PostgreSQL, the only one on SQLite. */
  databases: readonly Pick<Database, 'run'>[];
  accountId: string;
  chance: (below: number) => number;
}

/** Works on a task as a worker would whose calls cost anything and which often dies. */
async function work({ store, databases, chance }: Family, task: ClaimedTask): Promise<void> {
  const anyDatabase = () => databases[chance(databases.length)] ?? store.database;
  const lease = { accountId: task.accountId, taskId: task.taskId, fence: task.fence };
  for (let step = 1; step <= 6; ) {
    const estimatedInput = chance(4000);
    const demand = demandOf(estimatedInput, { price, outputLimit: 1 + chance(8000), isCalibrated: chance(2) === 0 });
    const start = {
      type: 'model_started' as const,
      step,
      attempt: 1,
      model: 'm',
      estimatedInput,
      estimatedCost: estimatedInput * 100,
    };
    const begun = await anyDatabase().run(beginPaidCall, { ...lease, now: nextMs(), start, demand, expectSeq: null });
    if (begun.outcome === 'lost') return;
    if (begun.outcome === 'busy') continue;
    const append = (...events: TaskEvent[]) =>
      anyDatabase().run(appendPaid, { ...lease, now: nextMs(), events, expectSeq: null });
    if (begun.outcome !== 'logged') {
      await append({ type: 'waiting', callId: null, question: '?', budget: { retryAtMs: null } });
      return;
    }
    step += 1;
    // It dies in the middle of the call, which the next one repeats.
    if (chance(5) === 0) continue;
    // What providers count is not always what they were asked for.
    const cost = chance(4) === 0 ? chance(20_000_000) : chance(3_000_000);
    const isLast = chance(8) === 0;
    await append({ type: 'model_finished', step, parts: [], usage, cost }, ...(isLast ? [stopped] : []));
    if (isLast) return;
  }
  await anyDatabase().run(appendPaid, { ...lease, now: nextMs(), events: [stopped], expectSeq: null });
}

async function spread({ store, accountId, chance }: Family, parentId: string): Promise<void> {
  const message = { type: 'user_message' as const, text: 'x', kind: 'text' as const };
  const bounds = { maxSubtasks: 50, maxDepth: 2, copyId: null, creditDemand: null, taskConfig: {} };
  for (let left = chance(6); left > 0; left -= 1) {
    const taskId = sampleTask(accountId).taskId;
    await store.database.run(createSubtask, { accountId, parentId, taskId, now: nextMs(), title: 'x', message, ...bounds });
    if (chance(3) === 0)
      await store.database.run(createSubtask, {
        accountId,
        parentId: taskId,
        taskId: sampleTask(accountId).taskId,
        now: nextMs(),
        title: 'x',
        message,
        ...bounds,
      });
  }
}

describeStores('the budget of a task', (store) => {
  let processes: RemoteStore[] = [];
  beforeAll(async () => {
    processes = await store.startProcesses(4);
  });
  afterAll(() => Promise.all(processes.map((one) => one.kill())));

  describe('with many subtasks on four processes', () => {
    it.each(Array.from({ length: rounds }, (_, round) => round + seed))(
      'is never overspent (%i)',
      { timeout: 120_000 },
      async (round) => {
        const chance = createChance(round * 7919);
        const accountId = newAccountId();
        const databases = processes.length > 0 ? processes : [store.database];
        const family = { store, databases, accountId, chance };
        const credits = 1 + chance(30);
        const root = sampleTask(accountId, { budget: { credits, onLimit: 'wait' } });
        await store.database.run(createTask, root);
        await spread(family, root.taskId);
        const tasks = await claim(store.database);
        const stops = chance(2) === 0 ? [store.database.run(stopTask, { accountId, taskId: root.taskId, now: nextMs() })] : [];
        await Promise.all([...tasks.map((task) => work(family, task)), ...stops]);
        const [spent] = await store.query(
          'SELECT -COALESCE(SUM(credits), 0) AS credits FROM usage_records WHERE account_id = ?',
          accountId,
        );
        const [budget] = await store.query('SELECT used, reserved FROM budgets WHERE account_id = ?', accountId);
        expect(Number(spent?.['credits'])).toBeLessThanOrEqual(credits);
        expect(Number(budget?.['used'])).toBe(Number(spent?.['credits']));
        expect(Number(budget?.['reserved'])).toBe(0);
        expect(await store.query('SELECT * FROM budget_holds')).toEqual([]);
      },
    );
  });
});
