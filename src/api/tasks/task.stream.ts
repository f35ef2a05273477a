import { z } from 'zod';
import { getReadableTask } from '../../store/tasks/tasks.ts';
import { eventObject } from '../events/event-object.ts';
import { readEventSeq } from '../events/event-position.ts';
import { queryFlag, taskId } from '../contract/fields.ts';
import { defineStream } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';
import { followTask } from '../events/task-event-feed.ts';

export const taskStream = defineStream({
  name: 'task.stream',
  method: 'GET',
  summary: 'Sends the events of a task as server-sent events: first those in its log, then each new one.',
  details: [
    'Each event has the id of the event in its log and, as data, the object that task.listMessages gives.',
    'The stream stays open when the task stops, because a follow-up can wake it;',
    'it ends when the task is deleted, when the credential is revoked and when the service stops.',
    'A reader that comes back with `Last-Event-ID` gets exactly what it has not had.',
    'A reader that takes nothing for 30 seconds is cut with an event named `error`.',
  ].join(' '),
  access: 'tasks',
  request: z.object({
    task_id: taskId,
    verbose: queryFlag('Also tool_used, plan_update, new_plan_step and explanation events.'),
    deltas: queryFlag(
      'Also `delta` events (step, attempt, at, text) with the pieces of a reply while it is being written, and `output` events (action_id, tool, at, text) with what a tool writes while it runs; they have no id.',
    ),
    last_event_id: z.string().optional().meta({ description: 'Goes on after this event; the header Last-Event-ID comes first.' }),
  }),
  response: z.object({ data: eventObject }),
  async follow({ task_id, verbose, deltas, last_event_id }, context) {
    const task = await context.read(getReadableTask, keyOfTask(task_id, context));
    const afterSeq = last_event_id === undefined ? 0 : readEventSeq('last_event_id', task, last_event_id);
    return (signal) => followTask(context, task.key, { afterSeq, isVerbose: verbose, wantsDeltas: deltas }, signal);
  },
});
