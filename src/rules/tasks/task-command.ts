import type { Equipment, TaskEvent, TaskStatus, UserMessage } from '../events/task-event.ts';

function equipEvents(equipment: Equipment): TaskEvent[] {
  return Object.keys(equipment).length === 0 ? [] : [{ type: 'equipped', ...equipment }];
}

/** What a client's message adds to the log: a task at rest starts to run again, a running one hears it before its next step. */
export function messageEvents(status: TaskStatus, message: UserMessage, equipment: Equipment = {}): TaskEvent[] {
  const said = [...equipEvents(equipment), message];
  if (status === 'running') return said;
  return [...said, { type: 'running', brief: status === 'waiting' ? 'Going on with the answer' : 'Going on' }];
}

/** What task.stop adds: nothing to a task that is not at work (docs/reference/choices.md#stopping). */
export function stopEvents(status: TaskStatus): TaskEvent[] {
  if (status === 'stopped' || status === 'error') return [];
  return [{ type: 'user_stopped' }, { type: 'stopped', by: 'user' }];
}

/** The first events of every task that begins with a message. */
export function firstEvents(message: UserMessage, equipment: Equipment = {}): TaskEvent[] {
  return [...equipEvents(equipment), message, { type: 'running', brief: 'Started' }];
}

/** The first events of a conversation in which nothing has been said. */
export function preparedEvents(equipment: Equipment): TaskEvent[] {
  return [{ type: 'prepared' }, ...equipEvents(equipment)];
}
