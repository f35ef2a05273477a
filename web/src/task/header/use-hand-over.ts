import type { Task } from '@errand/client';
import { clearing, errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useAction } from '../../ui/feedback/use-action.ts';

/**
 * Hands a task over to a member of the team, sharing it with the team first; null takes it back, or gives it back. If it cannot be handed
 * over, it is shared as before: a public link works again.
 */
export function useHandOver({ id, share_visibility: visibility }: Pick<Task, 'id' | 'share_visibility'>) {
  return useAction(
    async (accountId: string | null) => {
      const isShared = accountId === null || visibility === 'team';
      if (!isShared) await errand.task.update({ task_id: id, share_visibility: 'team' });
      try {
        return await errand.task.handOver(clearing<'task.handOver'>({ task_id: id, account_id: accountId }));
      } catch (error) {
        if (!isShared) await errand.task.update({ task_id: id, share_visibility: visibility });
        throw error;
      }
    },
    { changes: [keys.task(id), keys.tasks, keys.taskShows, keys.assignedTasks, keys.inbox] },
  );
}
