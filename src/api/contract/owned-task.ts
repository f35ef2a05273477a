import { isId } from '@errand/base/ids.ts';
import { boundClientOf, boundUserOf } from '../../rules/accounts/access.ts';
import { mainTaskId, mainTaskShortcut } from '../../rules/agents/default-agent.ts';
import { type TaskKey, taskNotFound } from '../../store/events/task-key.ts';
import type { Context } from './operation.ts';

/**
 * The key of the caller's task, restricted to an application's own tasks if it may only create tasks, to those of the one
 * person for whom the request acts, and to the one task of a task token. `agent-default-main_task` is the main
 * task of the caller's default agent (docs/reference/api.md#shortcuts). An invalid id is answered like a missing task, and so is everything
 * beyond the caller's rights, because the statements only search within these. Tasks shared by the caller's team are found by
 * `getReadableTask`; the store rejects changes to them.
 */
export function keyOfTask(taskId: string, { principal }: Context): TaskKey {
  const { accountId, via } = principal;
  const id = taskId === mainTaskShortcut ? mainTaskId(accountId) : taskId;
  if (!isId(id) || (via.kind === 'task_token' && via.taskId !== id)) throw taskNotFound();
  return { accountId, taskId: id, onlyClientId: boundClientOf(principal), onlyUserId: boundUserOf(principal) };
}
