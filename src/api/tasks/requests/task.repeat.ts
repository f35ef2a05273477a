import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { originOf } from '../../../rules/accounts/access.ts';
import type { TaskConfig, UserMessage } from '../../../rules/events/task-event.ts';
import { readLog } from '../../../store/events/events.ts';
import { getProject } from '../../../store/projects/projects.ts';
import type { TaskRecord } from '../../../store/tasks/task-record.ts';
import { createTask, getTask } from '../../../store/tasks/tasks.ts';
import { taskId } from '../../contract/fields.ts';
import { type Context, defineOperation } from '../../contract/operation.ts';
import { keyOfProject } from '../../contract/owned-project.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { presentReceipt, taskReceipt } from '../task-object.ts';

/** The first message is at the beginning of the log, after the task config. */
const firstEvents = 4;

interface Beginning {
  message: UserMessage;
  taskConfig: TaskConfig;
}

/** How a task began. The spans and time limits of that time are not those of the new one. */
async function readBeginning({ accountId, id, taskType }: TaskRecord, { read }: Context): Promise<Beginning> {
  const log = await read(readLog, { accountId, taskId: id, afterSeq: 0, limit: firstEvents });
  const events = log.map(({ event }) => event);
  const found = events.find((event) => event.type === 'user_message');
  const isOfAgent = taskType === 'agent_main' || taskType === 'agent_subtask';
  if (!found || isOfAgent) throw new Fault('failed_precondition', 'A conversation of an agent cannot be started again.');
  const { traceparent: _span, by: _limit, ...message } = found;
  const { type: _type, ...taskConfig } = events.find((event) => event.type === 'equipped') ?? { type: 'equipped' };
  return { message, taskConfig };
}

export const taskRepeat = defineOperation('POST', 'task.repeat', {
  summary: 'Starts a new task with the first message and the settings of another one.',
  details: 'The files of that message are attached again, even if they have expired elsewhere. The new task is private.',
  access: 'browser',
  cost: 'create',
  request: z.object({ task_id: taskId }),
  response: taskReceipt,
  async handle(input, context) {
    const { principal, now, urls } = context;
    const task = await context.read(getTask, keyOfTask(input.task_id, context));
    const { message, taskConfig } = await readBeginning(task, context);
    const { projectId } = task;
    if (projectId !== null) await context.read(getProject, keyOfProject(projectId, context));
    const { title, profile, family, metadata, locale, isInteractive, priority, decisionTimeout } = task;
    const created = await context.write(createTask, {
      ...{ title, profile, family, metadata, locale, isInteractive, priority, decisionTimeout, projectId, message, taskConfig },
      accountId: principal.accountId,
      taskId: newId(now),
      now,
      taskType: projectId === null ? 'standard' : 'project',
      externalUserId: null,
      isHidden: false,
      shareVisibility: 'private',
      shareId: null,
      ...originOf(principal),
      agentId: null,
      creditDemand: await context.credits.demandFor(principal.accountId, now),
    });
    return presentReceipt(created, urls);
  },
});
