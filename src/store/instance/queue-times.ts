import { computedCodec, text } from '../db/row-codec.ts';
import { placeholders, type Row, type Script, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';

/** No task waits longer than for a lease or the next check of its subtasks, no delivery longer than for its next attempt. */
const longestMs = 7 * 24 * 60 * 60 * 1000;
/** No task waits longer for the next period of a budget; one that waits for a person has no such time. */
const longestPeriodMs = 32 * 24 * 60 * 60 * 1000;

const entryRow = computedCodec('an entry of a queue', { account_id: text, id: text });

function* hasten(table: string, time: string, key: string, limit: number): Script<number> {
  const rows: Row[] = yield* selectAll(
    `SELECT account_id, id FROM ${table} WHERE ${key} > '' AND ${time} > errand_now() + ? ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED`,
    longestMs,
    limit,
  );
  if (rows.length === 0) return 0;
  yield* selectAll(
    `UPDATE ${table} SET ${time} = errand_now(), lease_owner = NULL
     WHERE (account_id, id) IN (VALUES ${placeholders(rows.length, 2)}) RETURNING id`,
    ...rows.flatMap((row) => [entryRow.account_id(row), entryRow.id(row)]),
  );
  return rows.length;
}

/** Tasks that wait for a period of a budget that is too far off are tried again. */
function* hastenBudgets(limit: number): Script<number> {
  const rows = yield* selectAll(
    `SELECT account_id, id FROM tasks INDEXED BY tasks_waiting_for_budget WHERE budget_retry_at > errand_now() + ?
     AND budget_retry_at < ? ORDER BY budget_retry_at LIMIT ? FOR UPDATE SKIP LOCKED`,
    longestPeriodMs,
    Number.MAX_SAFE_INTEGER,
    limit,
  );
  if (rows.length === 0) return 0;
  yield [
    sql(
      `UPDATE tasks SET budget_retry_at = 0 WHERE (account_id, id) IN (VALUES ${placeholders(rows.length, 2)})`,
      ...rows.flatMap((row) => [entryRow.account_id(row), entryRow.id(row)]),
    ),
  ];
  return rows.length;
}

/**
 * Makes tasks and deliveries due that a temporarily wrong clock has scheduled for the far future, at most `limit` of each; returns the larger
 * number. Otherwise no worker would claim them for years.
 */
export const mendQueueTimes: StoreOperation<{ limit: number }, number> = {
  name: 'queues.mendTimes',
  access: 'exclusive',
  *run({ limit }) {
    const tasks = yield* hasten('tasks', 'wake_at', 'account_id', limit);
    const deliveries = yield* hasten('deliveries', 'ready_at', 'webhook_id', limit);
    const budgets = yield* hastenBudgets(limit);
    return Math.max(tasks, deliveries, budgets);
  },
  announce: (_, count) => (count > 0 ? [{ topic: 'due' }, { topic: 'deliveries' }, { topic: 'budgets' }] : []),
};
