import { isId } from '@errand/base/ids.ts';
import { boundClientOf } from '../../rules/accounts/access.ts';
import { mainTaskId, mainTaskShortcut } from '../../rules/agents/default-agent.ts';
import { type TaskKey, taskNotFound } from '../../store/events/task-key.ts';
import type { Context } from './operation.ts';

/**
 * Where the caller's task is kept, and for an application that may only create tasks, that it must have created this one.
 * `agent-default-main_task` is the main task of the caller's default agent (docs/reference/api.md#shortcuts). Anything else that
 * is not an id answers as a task that does not exist, and so does whatever lies beyond the caller's rights, because the
 * statements that look for it look inside these alone. What the caller's team shares is found by `getReadableTask`, and refused
 * by the store where it would be changed.
 */
export function keyOfTask(taskId: string, { principal }: Context): TaskKey {
  const { accountId } = principal;
  const onlyClientId = boundClientOf(principal);
  if (taskId === mainTaskShortcut) return { accountId, taskId: mainTaskId(accountId), onlyClientId };
  if (!isId(taskId)) throw taskNotFound();
  return { accountId, taskId, onlyClientId };
}
