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
import { countRounds } from '../support/process/crash-run.ts';

/** How many families of tasks are tried on each database. */
const rounds = Number(process.env['ERRAND_TEST_BUDGET_ROUNDS'] ?? countRounds({ gate: 12, night: 1000 }));
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
    // Rows of a table are worked on in one call for all of them, within the task that maps them.
    const [isMap, callId] = [chance(3) === 0, `c${step}`];
    const estimate = { model: 'm', estimatedInput, estimatedCost: estimatedInput * 100 };
    const start: TaskEvent = isMap
      ? { type: 'rows_started', callId, rows: 1 + chance(100), ...estimate }
      : { type: 'model_started', step, attempt: 1, ...estimate };
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
    const finished: TaskEvent = isMap
      ? { type: 'rows_finished', callId, usage, cost }
      : { type: 'model_finished', step, parts: [], usage, cost };
    await append(finished, ...(isLast ? [stopped] : []));
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

/** The beginning of a period that does not end during the test. */
const neverOverMs = Date.UTC(2100, 0);

/** What the tasks of a family are of besides their account. */
const origin = { projectId: 'project', apiKeyId: 'key', oauthClientId: 'application' };

/** Budgets around those of the tasks, each of which may be the tightest; some families have none. */
async function setOuter({ store, accountId, chance }: Family): Promise<void> {
  const places = [
    ['account', accountId],
    ['project', origin.projectId],
    ['key', origin.apiKeyId],
    ['application', origin.oauthClientId],
  ];
  for (const [scope, id] of places)
    if (chance(2) === 0)
      await store.query(
        `INSERT INTO budgets (account_id, scope, scope_id, period, credits, on_limit, used, reserved, period_at, warned, created_at,
         updated_at) VALUES (?, ?, ?, 'month', ?, 'wait', 0, 0, ?, 0, 0, 0)`,
        ...[accountId, String(scope), String(id), 1 + chance(50), neverOverMs],
      );
}

async function creditsSpent(store: OpenStore, accountId: string): Promise<number> {
  const [row] = await store.query(
    'SELECT -COALESCE(SUM(credits), 0) AS credits FROM usage_records WHERE account_id = ?',
    accountId,
  );
  return Number(row?.['credits']);
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
        await setOuter(family);
        const roots = Array.from({ length: 1 + chance(2) }, () =>
          sampleTask(accountId, { ...origin, budget: { credits: 1 + chance(30), onLimit: 'wait' } }),
        );
        for (const root of roots) {
          await store.database.run(createTask, root);
          await spread(family, root.taskId);
        }
        const tasks = await claim(store.database);
        const stops =
          chance(2) === 0 ? [store.database.run(stopTask, { accountId, taskId: roots[0]?.taskId ?? '', now: nextMs() })] : [];
        await Promise.all([...tasks.map((task) => work(family, task)), ...stops]);
        const spent = await creditsSpent(store, accountId);
        const budgets = await store.query('SELECT scope, credits, used, reserved FROM budgets WHERE account_id = ?', accountId);
        for (const { scope, credits, used, reserved } of budgets) {
          expect(Number(used)).toBeLessThanOrEqual(Number(credits));
          expect(Number(reserved)).toBe(0);
          if (scope !== 'task') expect([scope, Number(used)]).toEqual([scope, spent]);
        }
        const ofTasks = budgets.filter(({ scope }) => scope === 'task').map(({ used }) => Number(used));
        expect(ofTasks).toHaveLength(roots.length);
        expect(ofTasks.reduce((sum, used) => sum + used, 0)).toBe(spent);
        expect(await store.query('SELECT * FROM budget_holds')).toEqual([]);
      },
    );
  });
});
