import type { TaskConfig, TaskEvent, TaskStatus, UserMessage } from '../events/task-event.ts';

function taskConfigEvents(taskConfig: TaskConfig): TaskEvent[] {
  return Object.keys(taskConfig).length === 0 ? [] : [{ type: 'equipped', ...taskConfig }];
}

/** The message with the account whose person wrote it, if that is not the owner of the task. */
export function signMessage(message: UserMessage, ownerId: string, authorId: string): UserMessage {
  return authorId === ownerId ? message : { ...message, authorId };
}

/** The events of a client's message: an idle task resumes, a running one receives it before its next step. */
export function messageEvents(status: TaskStatus, message: UserMessage, taskConfig: TaskConfig = {}): TaskEvent[] {
  const said = [...taskConfigEvents(taskConfig), message];
  if (status === 'running') return said;
  return [...said, { type: 'running', brief: status === 'waiting' ? 'Going on with the answer' : 'Going on' }];
}

/** The events of task.stop: none for a task that is not active (docs/reference/choices.md#stopping). */
export function stopEvents(status: TaskStatus): TaskEvent[] {
  if (status === 'stopped' || status === 'error') return [];
  return [{ type: 'user_stopped' }, { type: 'stopped', by: 'user' }];
}

/** The first events of a task that starts with a message. */
export function firstEvents(message: UserMessage, taskConfig: TaskConfig = {}): TaskEvent[] {
  return [...taskConfigEvents(taskConfig), message, { type: 'running', brief: 'Started' }];
}

/** The first events of a conversation without messages. */
export function preparedEvents(taskConfig: TaskConfig): TaskEvent[] {
  return [{ type: 'prepared' }, ...taskConfigEvents(taskConfig)];
}
