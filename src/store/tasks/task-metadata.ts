import type { TaskMetadata } from '../../rules/tasks/task-metadata.ts';
import type { TaskKey } from '../events/task-key.ts';
import { placeholders, sql, type Statement } from '../db/store-operation.ts';

/** The column of a task's row; null for none. */
export function packMetadata(metadata: TaskMetadata): string | null {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}

/** What finds the task by its metadata. */
export function insertMetadata({ accountId, taskId }: TaskKey, metadata: TaskMetadata): Statement[] {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return [];
  const text = `INSERT INTO task_metadata (account_id, key, value, task_id) VALUES ${placeholders(entries.length, 4)}`;
  return [sql(text, ...entries.flatMap(([key, value]) => [accountId, key, value, taskId]))];
}

export function deleteMetadata({ accountId, taskId }: TaskKey): Statement {
  return sql('DELETE FROM task_metadata WHERE account_id = ? AND task_id = ?', accountId, taskId);
}
