import { z } from 'zod';
import { listTriggerEvents } from '../../store/triggers/trigger-events.ts';
import { getTrigger } from '../../store/triggers/triggers.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentTriggerEvent, triggerEventObject } from './trigger-event-object.ts';
import { keyOfTrigger, triggerId } from './trigger-id.ts';

export const triggerEvents = defineOperation('GET', 'trigger.events', {
  summary: 'Lists the last 100 deliveries of a trigger with their outcomes, newest first.',
  access: 'all_tasks',
  request: z.object({ trigger_id: triggerId, limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(triggerEventObject), ...pageEnd }),
  async handle({ trigger_id: id, limit, cursor: from }, context) {
    const key = keyOfTrigger(id, context);
    await context.read(getTrigger, key);
    const { items, end } = await readListPage(
      { query: ['trigger.events', key.accountId, id], cursor: from, limit },
      (beforeId, count) => context.read(listTriggerEvents, { ...key, beforeId, limit: count }),
      (event) => event.id,
    );
    return { data: items.map(presentTriggerEvent), ...end };
  },
});
