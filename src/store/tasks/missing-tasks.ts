import { type StoreOperation, padToPowerOfTwo, placeholders, selectAll } from '../db/store-operation.ts';
import { isBackupRunning } from '../db/backup-hold.ts';
import type { TaskKey } from '../events/task-key.ts';
import { taskRow } from '../db/shared-rows.ts';

/** Which of these tasks do not exist (any more); none while a backup runs, which copies workspaces after the database. */
export const findMissingTasks: StoreOperation<readonly TaskKey[], TaskKey[]> = {
  name: 'tasks.findMissing',
  access: 'read',
  *run(tasks) {
    if (tasks.length === 0) return [];
    const padded = padToPowerOfTwo(tasks);
    const rows = yield* selectAll(
      `SELECT account_id, id FROM tasks WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})`,
      ...padded.flatMap(({ accountId, taskId }) => [accountId, taskId]),
    );
    // After the tasks were read: a backup that begins later does not have the missing ones.
    if ((yield* selectAll(`SELECT 1 AS found WHERE ${isBackupRunning}`)).length > 0) return [];
    const existing = new Set(rows.map((row) => `${taskRow.account_id(row)} ${taskRow.id(row)}`));
    return tasks.filter(({ accountId, taskId }) => !existing.has(`${accountId} ${taskId}`));
  },
};
