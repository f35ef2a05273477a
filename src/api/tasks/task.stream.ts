import { z } from 'zod';
import { mayKnowAccount } from '../../rules/accounts/access.ts';
import { getReadableTask } from '../../store/tasks/tasks.ts';
import { eventObject } from '../events/event-object.ts';
import { readEventSeq } from '../events/event-position.ts';
import { queryFlag, taskId } from '../contract/fields.ts';
import { defineStream } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';
import { followTask } from '../events/task-event-feed.ts';

export const taskStream = defineStream('GET', 'task.stream', {
  summary: "Streams a task's events as server-sent events: first the stored ones, then each new one.",
  details: [
    'Each event carries its id and, as data, the object that task.listMessages returns.',
    'The stream stays open when the task stops, because a follow-up can resume it;',
    'it ends when the task is deleted, the credential is revoked, or the service stops.',
    'A client that reconnects with `Last-Event-ID` receives exactly the events it missed.',
    'A client that reads nothing for 30 seconds is disconnected with an event named `error`.',
  ].join(' '),
  access: 'task_streams',
  request: z.object({
    task_id: taskId,
    verbose: queryFlag('Also tool_used, plan_update, new_plan_step and explanation events.'),
    deltas: queryFlag(
      'Also sends `delta` events (step, attempt, at, text) with parts of a reply as it is generated, and `output` events (action_id, tool, at, text) with live tool output. They have no id.',
    ),
    last_event_id: z
      .string()
      .optional()
      .meta({ description: 'Resumes after this event; the Last-Event-ID header takes precedence.' }),
  }),
  response: z.object({ data: eventObject }),
  async follow({ task_id, verbose, deltas, last_event_id }, context) {
    const task = await context.read(getReadableTask, keyOfTask(task_id, context));
    const afterSeq = last_event_id === undefined ? 0 : readEventSeq('last_event_id', task, last_event_id);
    const { key } = task;
    const { access, clock, logs } = context;
    const parts = { clock, logs, deltas: context.deltas };
    const showsAccount = mayKnowAccount(context.principal);
    const options = { access, afterSeq, isVerbose: verbose, wantsDeltas: deltas, showsAccount };
    return (signal) => followTask(parts, key, options, signal);
  },
});
