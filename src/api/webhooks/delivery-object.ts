import { z } from 'zod';
import { type AttemptRecord, type Delivery, deliveryStatuses } from '../../store/webhooks/delivery-log.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const attemptObject = z.object({
  at: unixTime,
  status: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none.' }),
  error: z.string().nullable().meta({ description: 'Why there was no response.' }),
  duration_ms: z.int(),
  excerpt: z.string().meta({ description: 'The beginning of the response body.' }),
});

/** One event for one webhook, with the last of its attempts. */
export const deliveryObject = z
  .object({
    id: z.string(),
    webhook_id: z.string(),
    task_id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    status: z.enum(deliveryStatuses).meta({ description: '`skipped`: not attempted because the webhook was inactive.' }),
    created_at: unixTime,
    next_attempt_at: z.int().nullable(),
    attempt_count: z.int(),
    attempts: z.array(attemptObject).meta({ description: 'The last 20, oldest first.' }),
  })
  .meta({ id: 'Delivery' });

function presentAttempt({ atMs, status, error, durationMs, excerpt }: AttemptRecord): z.input<typeof attemptObject> {
  return { at: toUnixTime(atMs), status, error, duration_ms: durationMs, excerpt };
}

export function presentDelivery(delivery: Delivery): z.input<typeof deliveryObject> {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    task_id: delivery.taskId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    created_at: toUnixTime(delivery.createdAtMs),
    next_attempt_at: delivery.nextAttemptAtMs === null ? null : toUnixTime(delivery.nextAttemptAtMs),
    attempt_count: delivery.attempts,
    attempts: delivery.log.map(presentAttempt),
  };
}
