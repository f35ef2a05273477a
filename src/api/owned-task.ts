import { isId } from '../base/ids.ts';
import { type TaskKey, taskNotFound } from '../store/tasks.ts';
import type { Context } from './operation.ts';

/**
 * Where the caller's task is kept. Anything that is not an id, the reserved `agent-default-main_task` among it, answers as a
 * task that does not exist, and so does another account's task, because every key begins with the account.
 */
export function keyOfTask(taskId: string, { principal }: Context): TaskKey {
  if (!isId(taskId)) throw taskNotFound();
  return { accountId: principal.accountId, taskId };
}
