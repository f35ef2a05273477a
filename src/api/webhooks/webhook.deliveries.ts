import { z } from 'zod';
import { deliveryStatuses, listDeliveries } from '../../store/webhooks/delivery-log.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { deliveryObject, presentDelivery } from './delivery-object.ts';

export const webhookDeliveries = defineOperation('GET', 'webhook.deliveries', {
  summary: 'Lists the webhook deliveries of the last two weeks, newest first: sent, pending, and skipped.',
  access: 'own',
  request: z.object({
    webhook_id: z.string().optional(),
    status: z.enum(deliveryStatuses).optional(),
    limit: queryInteger(1, 100, 20),
    cursor,
  }),
  response: z.object({ data: z.array(deliveryObject), ...pageEnd }),
  async handle({ webhook_id: webhookId = null, status = null, limit, cursor: from }, { principal, read }) {
    const { accountId } = principal;
    const query = ['webhook.deliveries', accountId, webhookId, status];
    const { items, end } = await readListPage(
      { query, cursor: from, limit },
      (beforeId, count) => read(listDeliveries, { accountId, webhookId, status, beforeId, limit: count }),
      ({ id }) => id,
    );
    return { data: items.map(presentDelivery), ...end };
  },
});
