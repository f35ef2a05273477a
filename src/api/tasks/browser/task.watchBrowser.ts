import { z } from 'zod';
import { getTask } from '../../../store/tasks/tasks.ts';
import { taskId } from '../../contract/fields.ts';
import { defineStream } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { channelOf, followBrowser, nameViewer } from './browser-feed.ts';
import { viewId } from './view-id.ts';

export const taskWatchBrowser = defineStream('GET', 'task.watchBrowser', {
  summary: "Streams the picture of a task's browser as server-sent events named `browser`.",
  details: [
    'While the agent has a browser open, each event has what has changed: who drives it and, as a JPEG in Base64, what it shows, several times',
    'a second at most. A client that reads slowly gets the newest picture only. Nothing of it is stored.',
  ].join(' '),
  access: 'browser',
  request: z.object({ task_id: taskId, view_id: viewId }),
  response: z.object({
    driver: z.enum(['nobody', 'agent', 'you', 'person']).meta({
      description: '`nobody` while no browser is open; `person` for another page of the account.',
    }),
    is_ready: z
      .boolean()
      .meta({ description: 'Whether who has taken it over can act; false until a call of the agent has ended.' }),
    picture: z.string().nullable().meta({ description: 'A JPEG in Base64; null if the last one is still right.' }),
    width: z.number().meta({ description: 'The width of the page that it shows, in pixels; inputs use these.' }),
    height: z.number(),
  }),
  async follow({ task_id: id, view_id: view }, context) {
    channelOf(context);
    const key = keyOfTask(id, context);
    await context.read(getTask, key);
    return (signal) => followBrowser(context, { key, viewer: nameViewer(context, view) }, signal);
  },
});
