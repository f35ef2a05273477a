import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { browserInput, viewersTopic } from '../../../rules/browser/live-browser.ts';
import { getTask } from '../../../store/tasks/tasks.ts';
import { optional, taskId } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { channelOf, nameViewer } from './browser-feed.ts';
import { viewId } from './view-id.ts';

export const taskDriveBrowser = defineOperation('POST', 'task.driveBrowser', {
  summary: "Takes over a task's browser, acts in it, or hands it back to the agent.",
  details: [
    'A page that watches the browser (task.watchBrowser) takes it over with its `view_id`; its calls by the agent then wait. The browser is',
    'handed back seven seconds after the page has closed its stream, and after ten minutes without input. What is typed is neither stored nor',
    'logged; texts of three characters or more are hidden from the model. The answer does not wait for the browser: the stream shows what has',
    'become of it.',
  ].join(' '),
  access: 'browser',
  // What people type can be secret.
  hasSecret: true,
  request: z.object({
    task_id: taskId,
    view_id: viewId,
    action: z.enum(['take', 'hand_back', 'input']),
    inputs: optional(z.array(browserInput).min(1).max(50)).meta({
      description: 'What to do, in order; for the action `input`.',
    }),
  }),
  response: z.object({ accepted: z.boolean() }),
  async handle({ task_id: id, view_id: view, action, inputs }, context) {
    if ((action === 'input') !== (inputs !== undefined))
      throw invalidField('inputs', 'belong to the action input, and only to it');
    const channel = channelOf(context);
    const key = keyOfTask(id, context);
    await context.read(getTask, key);
    const viewer = nameViewer(context, view);
    channel.publish(viewersTopic(key.taskId), JSON.stringify({ kind: action, viewer, ...(inputs && { inputs }) }));
    return { accepted: true };
  },
});
