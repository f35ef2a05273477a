import { z } from 'zod';
import { type KeptEvent, listKept, markPulled, markReceived } from '../../store/webhooks/listeners.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWebhook } from './webhook-id.ts';

/** Few enough that a slow receiver gets the last one before its signature is too old. */
const perPull = 10;

const keptEventObject = z
  .object({
    id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    headers: z.record(z.string(), z.string()).meta({ description: 'Headers of the request, signed just now.' }),
    body: z.string().nullable().meta({
      description: 'Body of the request, byte for byte; null if it was lost, because 1000 other events or 8 MB waited.',
    }),
  })
  .meta({ id: 'KeptEvent' });

export const webhookPull = defineOperation('POST', 'webhook.pull', {
  summary: 'Returns the oldest ten events that a listener of webhook.listen has not received yet, as signed requests.',
  details: 'An event is returned again by each call until a later one names its `id` in `received`.',
  access: 'account',
  request: z.object({
    listener_id: requiredText('Identifier of the listener.'),
    received: optional(z.array(z.string()).max(perPull)).meta({ description: 'The ids of events that were passed on.' }),
  }),
  response: z.object({ data: z.array(keptEventObject) }),
  async handle({ listener_id: listenerId, received = [] }, context) {
    const key = keyOfWebhook(listenerId, context);
    if (received.length > 0) await context.write(markReceived, { ...key, deliveryIds: received });
    const { url, sealedSecrets, events, isUnnoted } = await context.read(listKept, { ...key, limit: perPull });
    if (isUnnoted) await context.write(markPulled, key);
    const receiver = { webhookId: listenerId, url, sealedSecrets };
    const sign = async ({ id, eventId, eventType, body }: KeptEvent) => {
      const headers = body === null ? {} : await context.webhooks.sign({ ...receiver, eventId, body });
      return { id, event_id: eventId, event_type: eventType, headers, body };
    };
    return { data: await Promise.all(events.map(sign)) };
  },
});
