import type { Task } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { isListedTask } from '../api/task-cache.ts';
import { taskShowQuery } from '../api/task-show-query.ts';

/** What the user may do with a task: everything, act in it for its owner, or only read it; null while unknown. */
export type TaskAccess = { kind: 'owner' } | { kind: 'assignee' | 'reader'; email: string; team: string | null } | null;

const owner: TaskAccess = { kind: 'owner' };

/** Only tasks shared with a team can belong to another user, and lists contain only one's own. */
function isSurelyOwn(task: Task): boolean {
  return task.share_visibility !== 'team' || isListedTask(task.id);
}

/** Whether the user owns the task. Ownership does not change when its sharing does. */
export function useAccess(taskId: string, task: Task | undefined): TaskAccess {
  const [isOwn, setOwn] = useState(false);
  if (!isOwn && task && isSurelyOwn(task)) setOwn(true);
  const { data } = useQuery({ ...taskShowQuery(taskId), enabled: !isOwn && task !== undefined });
  const accountId = useSession().data?.account.id;
  if (isOwn || data?.is_owner === true) return owner;
  if (!data) return null;
  const kind = task?.assignee !== undefined && task.assignee === accountId ? 'assignee' : 'reader';
  return { kind, ...data.owner };
}
