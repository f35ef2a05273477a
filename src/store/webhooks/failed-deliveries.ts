import { accountRow } from '../db/shared-rows.ts';
import { selectAll, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
import { deliveryRow } from './delivery-log.ts';
import { webhookRow } from './webhooks.ts';

const { read, columnsOf } = deliveryRow.pick('account_id, id, webhook_id, task_id, event_type, attempts, log, created_at');

/** A delivery that failed permanently, of any account. */
export type FailedDelivery = ReturnType<typeof read> & { email: string; url: string };

/** A page of the deliveries of all accounts that failed permanently, newest first. */
export const listFailedDeliveries: StoreOperation<{ beforeId: string | null; limit: number }, FailedDelivery[]> = {
  name: 'deliveries.listFailed',
  access: 'read',
  *run({ beforeId, limit }) {
    const params: SqlValue[] = beforeId === null ? [] : [beforeId];
    const rows = yield* selectAll(
      `SELECT ${columnsOf('d')}, a.email, w.url FROM deliveries d JOIN accounts a ON a.account_id = d.account_id
       JOIN webhooks w ON w.account_id = d.account_id AND w.id = d.webhook_id
       WHERE d.status = 'failed' ${beforeId === null ? '' : 'AND d.id < ?'} ORDER BY d.id DESC LIMIT ?`,
      ...params,
      limit,
    );
    return rows.map((row) => ({ ...read(row), email: accountRow.email(row), url: webhookRow.url(row) }));
  },
};
