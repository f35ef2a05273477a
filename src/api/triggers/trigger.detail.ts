import { z } from 'zod';
import { getTrigger } from '../../store/triggers/triggers.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTrigger, triggerId } from './trigger-id.ts';
import { presentTrigger, triggerObject } from './trigger-object.ts';

export const triggerDetail = defineOperation('GET', 'trigger.detail', {
  summary: 'Returns a trigger with its URL, without its secret.',
  access: 'all_tasks',
  // The URL of a trigger starts tasks.
  hasSecret: true,
  request: z.object({ trigger_id: triggerId }),
  response: z.object({ trigger: triggerObject }),
  async handle({ trigger_id: id }, context) {
    return { trigger: presentTrigger(await context.read(getTrigger, keyOfTrigger(id, context)), context) };
  },
});
