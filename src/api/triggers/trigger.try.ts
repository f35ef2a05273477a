import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { readPayload } from '../../rules/triggers/payload.ts';
import { fireTrigger } from '../../store/triggers/fire-trigger.ts';
import { getTrigger } from '../../store/triggers/triggers.ts';
import { defineOperation } from '../contract/operation.ts';
import { firedFields, planFiring } from './trigger-firing.ts';
import { keyOfTrigger, triggerId } from './trigger-id.ts';

/** The same limit as at a trigger's URL. */
const maxBodyBytes = 1024 * 1024;

export const triggerTry = defineOperation('POST', 'trigger.try', {
  summary: 'Starts a task as if a sender had sent this body, without a signature.',
  details: 'Filters and ids do not count, and a paused trigger can be tried.',
  access: 'all_tasks',
  cost: 'create',
  request: z.object({
    trigger_id: triggerId,
    body: z
      .unknown()
      .optional()
      .meta({ shownAs: { description: 'A JSON value, or text.' } }),
  }),
  response: z.object(firedFields),
  async handle({ trigger_id: id, body }, context) {
    const trigger = await context.read(getTrigger, keyOfTrigger(id, context));
    const isText = typeof body === 'string';
    const bytes = Buffer.from(isText ? body : JSON.stringify(body ?? {}));
    if (bytes.length > maxBodyBytes) throw invalidField('body', 'must have at most 1 MB');
    const headers = { 'content-type': isText ? 'text/plain' : 'application/json' };
    const payload = readPayload(bytes, headers['content-type']);
    const firing = await planFiring(trigger, { cause: 'test', headers, payload, bodyBytes: bytes.length }, context);
    const { taskId } = await context.write(fireTrigger, firing);
    return { task_id: taskId };
  },
});
