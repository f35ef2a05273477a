import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { computedCodec, integer, text } from '../db/row-codec.ts';
import { selectAll, type SqlValue, type StoreOperation } from '../db/store-operation.ts';

const queueRow = computedCodec('the queue of an account', {
  account_id: text,
  email: text,
  active: integer,
  queued: integer,
  due_at: integer,
  now: integer,
});

/** What an account has to be done. */
export interface AccountQueue {
  accountId: string;
  email: string;
  /** Tasks that run or wait for a worker. */
  active: number;
  /** How many of these tasks wait for a worker. */
  queued: number;
  /** When the task that is due longest became due; the position in the list. In the future if none is due. */
  dueAtMs: number;
  /** When this was read, by the clock of the database. */
  readAtMs: number;
}

export interface ListQueuesArgs {
  /** Exclusive; null starts at the first. */
  after: { dueAtMs: number; accountId: string } | null;
  limit: number;
}

/** A page of the accounts with tasks that run or wait for a worker; first those that have waited longest. Only such tasks are read. */
export const listAccountQueues: StoreOperation<ListQueuesArgs, AccountQueue[]> = {
  name: 'queues.listByAccount',
  access: 'read',
  scans: () => instanceRecord,
  *run({ after, limit }) {
    const params: SqlValue[] = after === null ? [] : [after.dueAtMs, after.accountId];
    const rows = yield* selectAll(
      `SELECT q.account_id, a.email, q.active, q.queued, q.due_at, errand_now() AS now FROM (
         SELECT account_id, COUNT(*) AS active, SUM(CASE WHEN wake_at <= errand_now() THEN 1 ELSE 0 END) AS queued,
           MIN(wake_at) AS due_at
         FROM tasks WHERE account_id > '' AND wake_at IS NOT NULL GROUP BY account_id) q
       JOIN accounts a ON a.account_id = q.account_id
       ${after === null ? '' : 'WHERE (q.due_at, q.account_id) > (?, ?)'}
       ORDER BY q.due_at, q.account_id LIMIT ?`,
      ...params,
      limit,
    );
    return rows.map((row) => ({
      accountId: queueRow.account_id(row),
      email: queueRow.email(row),
      active: queueRow.active(row),
      queued: queueRow.queued(row),
      dueAtMs: queueRow.due_at(row),
      readAtMs: queueRow.now(row),
    }));
  },
};
