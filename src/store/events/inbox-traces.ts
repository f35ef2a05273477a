import { type Statement, sql } from '../db/store-operation.ts';
import type { TaskKey } from './task-key.ts';

/** Deletes what was decided about a task in the inbox, and who was to decide. */
export function deleteInboxTraces({ accountId, taskId }: Pick<TaskKey, 'accountId' | 'taskId'>): Statement[] {
  return ['inbox_decisions', 'inbox_assignments'].map((table) =>
    sql(`DELETE FROM ${table} WHERE account_id = ? AND task_id = ?`, accountId, taskId),
  );
}
