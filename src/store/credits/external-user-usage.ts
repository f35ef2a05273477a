import { computedCodec, integer, text } from '../db/row-codec.ts';
import { selectAll, type SqlValue, type StoreOperation } from '../db/store-operation.ts';

/** What the tasks created for one person of an account's product have cost. */
export interface UserUsage {
  externalUserId: string;
  tasks: number;
  credits: number;
  /** When the newest task was created. */
  lastCreatedAtMs: number;
}

const usageRow = computedCodec('usage.externalUsers', {
  ...{ external_user_id: text, tasks: integer, credits: integer, last_created_at: integer },
});

export interface ListUserUsageArgs {
  accountId: string;
  createdAfterMs: number | null;
  createdBeforeMs: number | null;
  /** Exclusive: the last person of the previous page. */
  after: string | null;
  limit: number;
}

/** People of an account's product with tasks created in a time, by id. Subtasks count towards the cost, not the number of tasks. */
export const listUserUsage: StoreOperation<ListUserUsageArgs, UserUsage[]> = {
  name: 'usage.externalUsers',
  access: 'read',
  *run({ accountId, createdAfterMs, createdBeforeMs, after, limit }) {
    const conditions: [string, SqlValue][] = [
      ['t.account_id = ?', accountId],
      ['t.external_user_id > ?', after ?? ''],
      ...(createdAfterMs === null ? [] : [['t.created_at > ?', createdAfterMs] as [string, SqlValue]]),
      ...(createdBeforeMs === null ? [] : [['t.created_at < ?', createdBeforeMs] as [string, SqlValue]]),
    ];
    const rows = yield* selectAll(
      `SELECT t.external_user_id, COUNT(CASE WHEN t.parent_id IS NULL THEN 1 END) AS tasks,
         CAST(SUM(t.credits) AS BIGINT) AS credits, MAX(t.created_at) AS last_created_at
       FROM tasks t INDEXED BY tasks_by_external_user WHERE ${conditions.map(([condition]) => condition).join(' AND ')}
       GROUP BY t.external_user_id ORDER BY t.external_user_id LIMIT ?`,
      ...conditions.map(([, value]) => value),
      limit,
    );
    return rows.map((row): UserUsage => usageRow.read(row));
  },
};
