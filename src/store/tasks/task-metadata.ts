import type { TaskMetadata } from '../../rules/tasks/task-metadata.ts';
import type { TaskKey } from '../events/task-key.ts';
import { placeholders, sql, type Statement } from '../db/store-operation.ts';

/** The value of the column in a task's row; null for no metadata. */
export function packMetadata(metadata: TaskMetadata): string | null {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}

/** Statements that store the rows by which a task is found by its metadata. */
export function insertMetadata({ accountId, taskId }: TaskKey, metadata: TaskMetadata): Statement[] {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return [];
  const text = `INSERT INTO task_metadata (account_id, key, value, task_id) VALUES ${placeholders(entries.length, 4)}`;
  return [sql(text, ...entries.flatMap(([key, value]) => [accountId, key, value, taskId]))];
}

export function deleteMetadata({ accountId, taskId }: TaskKey): Statement {
  return sql('DELETE FROM task_metadata WHERE account_id = ? AND task_id = ?', accountId, taskId);
}
