import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { resendDelivery } from '../../store/webhooks/delivery-log.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWebhook } from './webhook-id.ts';

export const webhookResend = defineOperation('POST', 'webhook.resend', {
  summary: 'Resends one delivery, or everything a webhook missed.',
  access: 'own',
  request: z.object({
    delivery_id: optional(z.string()).meta({ description: 'A single delivery, whatever its status.' }),
    webhook_id: optional(z.string()).meta({ description: 'All failed and skipped deliveries of this webhook.' }),
  }),
  response: z.object({ resent: z.int().meta({ description: 'Number of deliveries being resent.' }) }),
  async handle({ delivery_id: deliveryId, webhook_id: webhookId }, context) {
    if ((deliveryId === undefined) === (webhookId === undefined)) {
      throw invalidField('delivery_id', 'exactly one of delivery_id and webhook_id is required');
    }
    if (webhookId !== undefined) return { resent: await context.webhooks.resendMissed(keyOfWebhook(webhookId, context)) };
    const { accountId } = context.principal;
    return { resent: await context.write(resendDelivery, { accountId, deliveryId: deliveryId ?? '' }) };
  },
});
