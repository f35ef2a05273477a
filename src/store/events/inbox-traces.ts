import { type Statement, sql } from '../db/store-operation.ts';
import { deleteRatings } from './ratings.ts';
import type { TaskKey } from './task-key.ts';

/** Deletes the decisions, assignments, pending notifications, ratings, and comments of a task. */
export function deleteInboxTraces({ accountId, taskId }: Pick<TaskKey, 'accountId' | 'taskId'>): Statement[] {
  return [
    sql('DELETE FROM inbox_decisions WHERE account_id = ? AND task_id = ?', accountId, taskId),
    deleteRatings({ accountId, taskId }),
    sql('DELETE FROM comments WHERE account_id = ? AND task_id = ?', accountId, taskId),
    sql('DELETE FROM inbox_assignments WHERE account_id = ? AND task_id = ?', accountId, taskId),
    sql('DELETE FROM notifications WHERE task_account_id = ? AND task_id = ?', accountId, taskId),
  ];
}
