import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { deleteTrigger } from '../../store/triggers/triggers.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTrigger, triggerId } from './trigger-id.ts';

export const triggerDelete = defineOperation('POST', 'trigger.delete', {
  summary: 'Deletes a trigger: its URL ends at once. Tasks that it started stay.',
  access: 'all_tasks',
  request: z.object({ trigger_id: triggerId }),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle({ trigger_id: id }, context) {
    const { principal, now } = context;
    await context.write(deleteTrigger, { ...keyOfTrigger(id, context), actor: actorOf(principal), now });
    return { id, deleted: true as const };
  },
});
