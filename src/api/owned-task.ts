import { isId } from '../base/ids.ts';
import { type TaskKey, taskNotFound } from '../store/task-key.ts';
import { boundClientOf } from '../rules/access.ts';
import type { Context } from './operation.ts';

/**
 * Where the caller's task is kept, and for an application that may only create tasks, that it must have created this one.
 * Anything that is not an id, the reserved `agent-default-main_task` among it, answers as a task that does not exist, and so
 * does whatever lies beyond the caller's rights, because the statements that look for it look inside these alone.
 */
export function keyOfTask(taskId: string, { principal }: Context): TaskKey {
  if (!isId(taskId)) throw taskNotFound();
  return { accountId: principal.accountId, taskId, onlyClientId: boundClientOf(principal) };
}
