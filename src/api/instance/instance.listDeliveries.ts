import { z } from 'zod';
import { type FailedDelivery, listFailedDeliveries } from '../../store/webhooks/failed-deliveries.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const failedDelivery = z
  .object({
    id: z.string(),
    account_id: z.string(),
    email: z.string(),
    webhook_id: z.string(),
    host: z.string().meta({ description: 'The host of the webhook; the rest of its URL may be a secret.' }),
    task_id: z.string(),
    event_type: z.string(),
    created_at: unixTime,
    attempt_count: z.int(),
    last_attempt_at: unixTime.nullable(),
    last_status: z.int().nullable().meta({ description: 'HTTP status of the last response; null if there was none.' }),
    last_error: z.string().nullable().meta({ description: 'Why there was no response.' }),
  })
  .meta({ id: 'FailedDelivery' });

function present(delivery: FailedDelivery): z.input<typeof failedDelivery> {
  const last = delivery.log.at(-1);
  return {
    id: delivery.id,
    account_id: delivery.accountId,
    email: delivery.email,
    webhook_id: delivery.webhookId,
    host: URL.parse(delivery.url)?.host ?? '',
    task_id: delivery.taskId,
    event_type: delivery.eventType,
    created_at: toUnixTime(delivery.createdAtMs),
    attempt_count: delivery.attempts,
    last_attempt_at: last ? toUnixTime(last.atMs) : null,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
  };
}

export const instanceListDeliveries = defineOperation('GET', 'instance.listDeliveries', {
  summary: 'Lists the webhook deliveries of all accounts that failed permanently in the last two weeks, newest first.',
  details: 'Without bodies and responses, which belong to the accounts. webhook.resend of the account sends them again.',
  access: 'instance',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(failedDelivery), ...pageEnd }),
  async handle({ limit, cursor: from }, { read }) {
    const { items, end } = await readListPage(
      { query: ['instance.listDeliveries'], cursor: from, limit },
      (beforeId, count) => read(listFailedDeliveries, { beforeId, limit: count }),
      ({ id }) => id,
    );
    return { data: items.map(present), ...end };
  },
});
