import { type StoreOperation, padToPowerOfTwo, placeholders, type Script, selectAll } from '../db/store-operation.ts';
import { isBackupRunning } from '../db/backup-hold.ts';
import type { TaskKey } from '../events/task-key.ts';
import { taskRow } from '../db/shared-rows.ts';

/** Which of these tasks exist, in the form that `key` writes. */
function* selectExisting(tasks: readonly TaskKey[]): Script<Set<string>> {
  const padded = padToPowerOfTwo(tasks);
  const rows = yield* selectAll(
    `SELECT account_id, id FROM tasks WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})`,
    ...padded.flatMap(({ accountId, taskId }) => [accountId, taskId]),
  );
  return new Set(rows.map((row) => key({ accountId: taskRow.account_id(row), taskId: taskRow.id(row) })));
}

function key({ accountId, taskId }: TaskKey): string {
  return `${accountId} ${taskId}`;
}

/** Which of these tasks do not exist; none while a backup runs, because it copies workspaces after the database. */
export const findMissingTasks: StoreOperation<readonly TaskKey[], TaskKey[]> = {
  name: 'tasks.findMissing',
  access: 'read',
  *run(tasks) {
    if (tasks.length === 0) return [];
    const existing = yield* selectExisting(tasks);
    // After the tasks were read: a backup that begins later does not have the missing ones.
    if ((yield* selectAll(`SELECT 1 AS found WHERE ${isBackupRunning}`)).length > 0) return [];
    return tasks.filter((task) => !existing.has(key(task)));
  },
};

/** Which of these tasks exist. */
export const findExistingTasks: StoreOperation<readonly TaskKey[], TaskKey[]> = {
  name: 'tasks.findExisting',
  access: 'read',
  *run(tasks) {
    if (tasks.length === 0) return [];
    const existing = yield* selectExisting(tasks);
    return tasks.filter((task) => existing.has(key(task)));
  },
};
