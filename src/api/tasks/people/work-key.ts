import { isConfined } from '../../../rules/accounts/access.ts';
import type { TaskKey } from '../../../store/events/task-key.ts';
import { findWorkKey } from '../../../store/tasks/people/assignees.ts';
import type { Context } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';

/**
 * The key with which the caller acts in a task: of an own one, or of one that a teammate has handed over. Callers that may know of some
 * tasks of their account only are handed nothing over.
 */
export async function keyOfWork(taskId: string, context: Context): Promise<TaskKey> {
  const key = keyOfTask(taskId, context);
  if (isConfined(context.principal) || context.principal.via.kind === 'task_token') return key;
  return context.read(findWorkKey, key);
}
