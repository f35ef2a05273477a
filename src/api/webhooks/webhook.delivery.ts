import { z } from 'zod';
import { getDelivery } from '../../store/webhooks/delivery-log.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { deliveryObject, presentDelivery } from './delivery-object.ts';

export const webhookDelivery = defineOperation('GET', 'webhook.delivery', {
  summary: 'Returns a delivery with its request body.',
  access: 'own',
  request: z.object({ delivery_id: requiredText('Identifier of the delivery.') }),
  response: z.object({ delivery: deliveryObject.extend({ body: z.string() }) }),
  async handle({ delivery_id: deliveryId }, { principal, read }) {
    const delivery = await read(getDelivery, { accountId: principal.accountId, deliveryId });
    return { delivery: { ...presentDelivery(delivery), body: delivery.body } };
  },
});
