import { invalidField } from '@errand/base/fault.ts';
import { eventSeq } from '@errand/base/ids.ts';
import type { TaskRecord } from '../../store/tasks/task-record.ts';

/** The position of an event in its task's log; 400 if the task has no such event. */
export function readEventSeq(field: string, task: Pick<TaskRecord, 'id' | 'lastSeq'>, eventId: string): number {
  const seq = eventSeq(task.id, eventId);
  if (seq === null || seq < 1 || seq > task.lastSeq) throw invalidField(field, 'is not an event of this task');
  return seq;
}
