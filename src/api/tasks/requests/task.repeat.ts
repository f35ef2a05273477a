import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { originOf } from '../../../rules/accounts/access.ts';
import type { LoggedEvent } from '../../../rules/events/task-event.ts';
import { Branch, type BranchPoint } from '../../../rules/messages/branch.ts';
import { readLog } from '../../../store/events/events.ts';
import { getProject } from '../../../store/projects/projects.ts';
import { branchTask } from '../../../store/tasks/branched-tasks.ts';
import type { TaskRecord } from '../../../store/tasks/task-record.ts';
import { getTask } from '../../../store/tasks/tasks.ts';
import { optional, taskId } from '../../contract/fields.ts';
import { type Context, defineOperation } from '../../contract/operation.ts';
import { keyOfProject } from '../../contract/owned-project.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { isLongerThan } from '../../contract/text-length.ts';
import { maxTextLength } from '../../messages/message-input.ts';
import { readEventSeq } from '../../events/event-position.ts';
import { presentReceipt, taskReceipt } from '../task-object.ts';

const pageSize = 500;
/** The longest conversation that can be copied, in events; it is written in one transaction. */
const maxEvents = 2_000;

const request = z.object({
  task_id: taskId,
  event_id: optional(z.string()).meta({
    description:
      'A message of the user or the agent; by default the first message. The new task begins with the conversation up to it.',
  }),
  text: optional(z.string()).meta({ description: 'Other words for that message of the user.' }),
});

/** What comes instead of the words of the message; 400 if it is nothing, or too much. */
function readWords(text: string | undefined): Pick<BranchPoint, 'text'> {
  if (text === undefined) return {};
  if (text.trim() === '') throw invalidField('text', 'must not be empty');
  if (isLongerThan(text, maxTextLength)) throw invalidField('text', `must have at most ${maxTextLength} characters`);
  return { text: text.toWellFormed() };
}

/** The log from its beginning, page by page. */
async function* readEvents({ accountId, id }: TaskRecord, { read }: Context): AsyncGenerator<LoggedEvent> {
  for (let afterSeq = 0; ; ) {
    const page = await read(readLog, { accountId, taskId: id, afterSeq, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    afterSeq = last.seq;
  }
}

/** The conversation up to the event, or to the first message. */
async function readBranch(task: TaskRecord, input: z.output<typeof request>, context: Context): Promise<Branch> {
  const { event_id: eventId } = input;
  const seq = eventId === undefined ? null : readEventSeq('event_id', task, eventId);
  const words = readWords(input.text);
  const branch = new Branch();
  let isRead = false;
  for await (const logged of readEvents(task, context)) {
    if (isRead) {
      branch.addLater(logged);
      if (!branch.isAwaiting) return branch;
      continue;
    }
    if (logged.seq === seq && words.text !== undefined && logged.event.type !== 'user_message') {
      throw invalidField('text', 'is only for a message of the user');
    }
    const isFirst = seq === null && logged.event.type === 'user_message';
    const isDone = branch.add(logged, { seq: isFirst ? logged.seq : (seq ?? 0), ...words });
    if (isDone === null) throw invalidField('event_id', 'must be a message of the user or the agent');
    isRead = isDone && branch.events.length > 0;
    if (isRead && !branch.isAwaiting) return branch;
  }
  if (isRead) return branch;
  throw new Fault('failed_precondition', 'The task has no message to start again with.');
}

export const taskRepeat = defineOperation('POST', 'task.repeat', {
  summary: 'Starts a new task with a message of another one, its settings, and the conversation before that message.',
  details:
    'The files of the messages and those that the agent had delivered are attached again, even if they have expired elsewhere. Other files of the workspace stay behind. After a message of the agent, the new task waits for the next message. The new task is private.',
  access: 'browser',
  cost: 'create',
  request,
  response: taskReceipt,
  async handle(input, context) {
    const { principal, now, urls } = context;
    const task = await context.read(getTask, keyOfTask(input.task_id, context));
    if (task.taskType === 'agent_main' || task.taskType === 'agent_subtask') {
      throw new Fault('failed_precondition', 'A conversation of an agent cannot be started again.');
    }
    const { events, blobIds, isOpen } = await readBranch(task, input, context);
    if (events.length > maxEvents) {
      throw new Fault('failed_precondition', 'The conversation is too long to be copied; choose an earlier message.');
    }
    const { projectId } = task;
    if (projectId !== null) await context.read(getProject, keyOfProject(projectId, context));
    const { title, profile, family, metadata, locale, isInteractive, priority, decisionTimeout } = task;
    const created = await context.write(branchTask, {
      ...{ title, profile, family, metadata, locale, isInteractive, priority, decisionTimeout, projectId, events, blobIds },
      accountId: principal.accountId,
      taskId: newId(now),
      sourceId: task.id,
      now,
      taskType: projectId === null ? 'standard' : 'project',
      externalUserId: null,
      isHidden: false,
      shareVisibility: 'private',
      shareId: null,
      ...originOf(principal),
      agentId: null,
      creditDemand: isOpen ? await context.credits.demandFor(principal.accountId, now) : null,
    });
    return presentReceipt(created, urls);
  },
});
