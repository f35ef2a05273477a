import { computedCodec, text } from '../db/row-codec.ts';
import { placeholders, type Row, type Script, selectAll, type StoreOperation } from '../db/store-operation.ts';

/** No task waits longer than for a lease or the next check of its subtasks, no delivery longer than for its next attempt. */
const longestMs = 7 * 24 * 60 * 60 * 1000;

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
    return Math.max(tasks, deliveries);
  },
  announce: (_, count) => (count > 0 ? [{ topic: 'due' }, { topic: 'deliveries' }] : []),
};
