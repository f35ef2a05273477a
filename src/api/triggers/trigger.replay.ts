import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { readPayload } from '../../rules/triggers/payload.ts';
import { fireTrigger } from '../../store/triggers/fire-trigger.ts';
import { getTriggerEvent, triggerEventNotFound } from '../../store/triggers/trigger-events.ts';
import { getTrigger } from '../../store/triggers/triggers.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { firedFields, planFiring } from './trigger-firing.ts';

export const triggerReplay = defineOperation('POST', 'trigger.replay', {
  summary: 'Starts a task from a past delivery again, with the template of now.',
  details: 'Filters and the id of the delivery do not count. What was refused, or over 64 KB, cannot be replayed (412).',
  access: 'all_tasks',
  cost: 'create',
  request: z.object({ event_id: requiredText('Identifier of the event, from trigger.events.') }),
  response: z.object(firedFields),
  async handle({ event_id: eventId }, context) {
    const { accountId } = context.principal;
    if (!isId(eventId)) throw triggerEventNotFound();
    const { triggerId, headers, body, bodyBytes } = await context.read(getTriggerEvent, { accountId, eventId });
    const trigger = await context.read(getTrigger, { accountId, triggerId });
    if (body === null) {
      throw new Fault(
        'failed_precondition',
        'This delivery cannot be replayed: it was refused, or its body was too long to keep.',
      );
    }
    const payload = readPayload(Buffer.from(body), headers['content-type'] ?? '');
    const firing = await planFiring(trigger, { cause: 'replay', headers, payload, bodyBytes }, context);
    const { taskId } = await context.write(fireTrigger, firing);
    return { task_id: taskId };
  },
});
