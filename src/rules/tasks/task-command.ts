import type { TaskConfig, TaskEvent, TaskStatus, UserMessage } from '../events/task-event.ts';

function taskConfigEvents(taskConfig: TaskConfig): TaskEvent[] {
  return Object.keys(taskConfig).length === 0 ? [] : [{ type: 'equipped', ...taskConfig }];
}

/** What a client's message adds to the log: an idle task starts to run again, a running one receives it before its next step. */
export function messageEvents(status: TaskStatus, message: UserMessage, taskConfig: TaskConfig = {}): TaskEvent[] {
  const said = [...taskConfigEvents(taskConfig), message];
  if (status === 'running') return said;
  return [...said, { type: 'running', brief: status === 'waiting' ? 'Going on with the answer' : 'Going on' }];
}

/** What task.stop adds: nothing to a task that is not at work (docs/reference/choices.md#stopping). */
export function stopEvents(status: TaskStatus): TaskEvent[] {
  if (status === 'stopped' || status === 'error') return [];
  return [{ type: 'user_stopped' }, { type: 'stopped', by: 'user' }];
}

/** The first events of every task that begins with a message. */
export function firstEvents(message: UserMessage, taskConfig: TaskConfig = {}): TaskEvent[] {
  return [...taskConfigEvents(taskConfig), message, { type: 'running', brief: 'Started' }];
}

/** The first events of a conversation in which nothing has been said. */
export function preparedEvents(taskConfig: TaskConfig): TaskEvent[] {
  return [{ type: 'prepared' }, ...taskConfigEvents(taskConfig)];
}
