import { z } from 'zod';
import { defineStream } from '../contract/operation.ts';
import { followTaskList } from './task-list-feed.ts';
import { taskObject } from './task-object.ts';

export const taskWatch = defineStream({
  name: 'task.watch',
  method: 'GET',
  summary: 'Sends what changes in the list of the application as server-sent events named `list`.',
  details: [
    'The first event has the newest 50 tasks of task.search without a filter; each one after it has those that are new or changed,',
    'and the ids of those that were deleted. The stream ends with the session.',
  ].join(' '),
  access: 'browser',
  request: z.object({}),
  response: z.object({
    is_whole: z.boolean().meta({ description: 'Whether `tasks` are all of the newest, or those that are new or changed.' }),
    tasks: z.array(taskObject),
    gone: z.array(z.string()).meta({ description: 'Ids of tasks that were deleted.' }),
  }),
  follow: (_input, context) => Promise.resolve((signal) => followTaskList(context, signal)),
});
