import { z } from 'zod';
import { eventSeq } from '@errand/base/ids.ts';
import { grantedConnectorsOf } from '../../rules/accounts/access.ts';
import { deciderOf } from '../../rules/inbox/decider.ts';
import { confirmAction } from '../../store/tasks/confirmations.ts';
import { optional, requiredText, taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWork } from './people/work-key.ts';

export const taskConfirmAction = defineOperation('POST', 'task.confirmAction', {
  summary: 'Confirms or declines an action that a waiting task has proposed.',
  details: [
    'event_id is the waiting_for_event_id of the latest status_update; input matches its confirm_input_schema.',
    '`confirmed` is false if the input contains no decision; the task keeps waiting.',
    'An application can confirm only actions of connectors its user has granted to it, and can decline any.',
    'Answer a question (messageAskUser) with task.sendMessage. Sending a message also continues without a decision on an action.',
  ].join(' '),
  access: 'tasks',
  request: z.object({
    task_id: taskId,
    event_id: requiredText('waiting_for_event_id of what the task waits for.'),
    input: optional(z.record(z.string(), z.unknown())).meta({
      description: 'Fields not in the schema are ignored.',
    }),
  }),
  response: z.object({ task_id: z.string(), confirmed: z.boolean() }),
  async handle({ task_id, event_id, input = {} }, context) {
    const key = await keyOfWork(task_id, context);
    const seq = eventSeq(key.taskId, event_id);
    const grantedConnectors = grantedConnectorsOf(context.principal);
    const decider = deciderOf(context.principal);
    const args = { ...key, now: context.now, seq, input, grantedConnectors, decider };
    const { isConfirmed } = await context.write(confirmAction, args);
    return { task_id: key.taskId, confirmed: isConfirmed };
  },
});
