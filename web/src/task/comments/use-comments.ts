import type { Comment } from '@errand/client';
import { errand } from '../../api/errand.ts';
import { usePages } from '../../api/paging.ts';
import { keys } from '../../api/query-keys.ts';

/** How often comments are read while they are shown, and while only their number is. */
const [shownMs, countedMs] = [5_000, 30_000];

export interface CommentsOptions {
  /** Whether they are on the screen. */
  isShown: boolean;
  /** Whether others may write some. */
  isShared: boolean;
}

/** The comments on a task, the latest first, as a growing list. */
export function useComments(taskId: string, { isShown, isShared }: CommentsOptions) {
  return usePages<Comment>(keys.comments(taskId), {
    fetchPage: (cursor, signal) =>
      errand.task.listComments({ task_id: taskId, limit: 100, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: isShown ? shownMs : countedMs,
    enabled: isShown || isShared,
  });
}

export type Comments = ReturnType<typeof useComments>;
