import { z } from 'zod';
import { defineStream } from '../contract/operation.ts';
import { followTaskList } from './task-list-feed.ts';
import { taskObject } from './task-object.ts';

export const taskWatch = defineStream('GET', 'task.watch', {
  summary: 'Streams changes to the task list as server-sent events named `list`.',
  details: [
    'The first event contains the 50 newest tasks of an unfiltered task.search; each later event contains new and changed tasks',
    'and the ids of deleted ones. The stream ends with the session.',
  ].join(' '),
  access: 'browser',
  request: z.object({}),
  response: z.object({
    is_whole: z.boolean().meta({ description: 'Whether `tasks` is the complete list or only new and changed tasks.' }),
    tasks: z.array(taskObject),
    gone: z.array(z.string()).meta({ description: 'Ids of deleted tasks.' }),
  }),
  follow: (_input, context) => Promise.resolve((signal) => followTaskList(context, signal)),
});
