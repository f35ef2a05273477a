import { type Statement, sql } from '../db/store-operation.ts';
import type { TaskKey } from './task-key.ts';

/** Deletes the decisions, assignments, and pending notifications about a task. */
export function deleteInboxTraces({ accountId, taskId }: Pick<TaskKey, 'accountId' | 'taskId'>): Statement[] {
  return [
    sql('DELETE FROM inbox_decisions WHERE account_id = ? AND task_id = ?', accountId, taskId),
    sql('DELETE FROM inbox_assignments WHERE account_id = ? AND task_id = ?', accountId, taskId),
    sql('DELETE FROM notifications WHERE task_account_id = ? AND task_id = ?', accountId, taskId),
  ];
}
