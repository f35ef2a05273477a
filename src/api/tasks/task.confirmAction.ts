import { z } from 'zod';
import { eventSeq } from '@errand/base/ids.ts';
import { grantedConnectorsOf } from '../../rules/accounts/access.ts';
import { confirmAction } from '../../store/tasks/confirmations.ts';
import { optional, requiredText, taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

export const taskConfirmAction = defineOperation({
  name: 'task.confirmAction',
  method: 'POST',
  summary: 'Decides about an action that a waiting task wants confirmed.',
  details: [
    'event_id is waiting_for_event_id of the newest status_update, input has the form of its confirm_input_schema.',
    '`confirmed` is false where the input decides nothing, and the task goes on waiting.',
    'An application accepts actions of those connectors alone that its user granted it, and may decline all.',
    'A question (messageAskUser) is answered with task.sendMessage; a message also goes on without a decision about an action.',
  ].join(' '),
  access: 'tasks',
  request: z.object({
    task_id: taskId,
    event_id: requiredText('waiting_for_event_id of what the task waits for.'),
    input: optional(z.record(z.string(), z.unknown())).meta({
      description: 'Other fields than those of the schema are ignored.',
    }),
  }),
  response: z.object({ task_id: z.string(), confirmed: z.boolean() }),
  async handle({ task_id, event_id, input = {} }, context) {
    const key = keyOfTask(task_id, context);
    const seq = eventSeq(key.taskId, event_id);
    const grantedConnectors = grantedConnectorsOf(context.principal);
    const { isConfirmed } = await context.write(confirmAction, { ...key, now: context.now, seq, input, grantedConnectors });
    return { task_id: key.taskId, confirmed: isConfirmed };
  },
});
