import { Fault } from '@errand/base/fault.ts';
import { type BlobOwner, addBlobReferences, releaseBlobs } from '../blobs/blob-references.ts';
import { isBackupRunning } from '../db/backup-hold.ts';
import {
  type StoreOperation,
  type Script,
  selectAll,
  selectOne,
  sql,
  type Statement,
  findRow,
  lockRow,
  padToPowerOfTwo,
  placeholders,
} from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import type { Lease } from './task-leases.ts';
import { isNewestRun } from '../db/shared-rows.ts';
import { integer, nullable, tableCodec, text } from '../db/row-codec.ts';

/** The number of the first copy. */
export const firstGeneration = 1;

const workspaceSaveRow = tableCodec('workspace_saves', { generation: integer, blob_id: text, packed_bytes: nullable(integer) });

const { read: readSave, columns } = workspaceSaveRow;
export type WorkspaceSave = ReturnType<typeof readSave>;

/** Stored in place of a blob: the task was emptied, and folders of other generations are outdated. */
const nothing = '';

/** Whether the workspace of a task was emptied and not saved since. */
export function isCleared(save: WorkspaceSave): boolean {
  return save.blobId === nothing;
}

/** The owner of the references to the copies of a task. */
export function copyOwner(taskId: string): BlobOwner {
  return `workspace:${taskId}`;
}

/** Part of a write: refers to a new copy in place of the previous one. If the new one is gone, it throws, so that the previous one stays. */
export function* replaceCopy(accountId: string, taskId: string, blobId: string): Script<void> {
  yield releaseBlobs(accountId, copyOwner(taskId));
  if (yield* addBlobReferences(accountId, [blobId], copyOwner(taskId))) return;
  throw new Fault('internal', 'The copy of a workspace is gone.', { detail: 'it was swept before it was recorded' });
}

/** The newest copy of a task's workspace, null if there is none. */
export const findWorkspaceSave: StoreOperation<{ accountId: string; taskId: string }, WorkspaceSave | null> = {
  name: 'workspaceSaves.find',
  access: 'read',
  *run({ accountId, taskId }) {
    const row = yield* findRow(columns, 'workspace_saves', { account_id: accountId, task_id: taskId });
    return row ? readSave(row) : null;
  },
};

/** A task without a worker, and the number of the newest copy of its workspace. */
export interface IdleWorkspace {
  accountId: string;
  taskId: string;
  generation: number;
}

const { read: readIdle } = tableCodec('workspace_saves', { account_id: text, task_id: text, generation: integer });

/** The newest copies of those of these tasks that nothing can claim; none while a backup runs, which copies the folders of this machine. */
export const listIdleWorkspaces: StoreOperation<readonly TaskKey[], IdleWorkspace[]> = {
  name: 'workspaceSaves.listIdle',
  access: 'read',
  *run(tasks) {
    if (tasks.length === 0) return [];
    const padded = padToPowerOfTwo(tasks);
    const rows = yield* selectAll(
      `SELECT s.account_id, s.task_id, s.generation FROM workspace_saves s
       JOIN tasks t ON t.account_id = s.account_id AND t.id = s.task_id
       WHERE (s.account_id, s.task_id) IN (VALUES ${placeholders(padded.length, 2)}) AND t.wake_at IS NULL
       AND NOT ${isBackupRunning}`,
      ...padded.flatMap(({ accountId, taskId }) => [accountId, taskId]),
    );
    return rows.map(readIdle);
  },
};

export interface RecordSaveArgs extends Lease {
  blobId: string;
  now: number;
}

/**
 * Makes a durable blob the copy of the workspace and returns its generation. Only for the worker that holds the task, or that held it until
 * a stop if nobody has claimed it since; null for all others.
 */
export const recordWorkspaceSave: StoreOperation<RecordSaveArgs, number | null> = {
  name: 'workspaceSaves.record',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ accountId, taskId, fence, blobId, now }) {
    const task = yield* lockRow('fence, lease_owner', 'tasks', { account_id: accountId, id: taskId });
    if (!task || !isNewestRun(task, fence)) return null;
    yield* replaceCopy(accountId, taskId, blobId);
    const row = yield* selectOne(
      `INSERT INTO workspace_saves (account_id, task_id, generation, blob_id, saved_at) VALUES (?, ?, 1, ?, ?)
       ON CONFLICT (account_id, task_id) DO UPDATE
       SET generation = workspace_saves.generation + 1, blob_id = excluded.blob_id, saved_at = excluded.saved_at, packed_bytes = NULL
       RETURNING generation`,
      accountId,
      taskId,
      blobId,
      now,
    );
    return workspaceSaveRow.generation(row);
  },
};

/** Records the first copy of a workspace; part of creating a task with files. The blob is durable. */
export function* startWorkspaceSave(accountId: string, taskId: string, blobId: string, now: number): Script<void> {
  if (!(yield* addBlobReferences(accountId, [blobId], copyOwner(taskId)))) {
    throw new Fault('internal', 'The files of a subtask are gone.', { detail: 'their copy was swept before it was kept' });
  }
  yield [
    sql(
      'INSERT INTO workspace_saves (account_id, task_id, generation, blob_id, saved_at) VALUES (?, ?, ?, ?, ?)',
      accountId,
      taskId,
      firstGeneration,
      blobId,
      now,
    ),
  ];
}

/** A durable blob with a folder as its task left it. */
export interface WorkspaceCopy {
  taskId: string;
  blobId: string;
  generation: number;
}

/** Makes a blob the newest copy; part of importing an account. False if the blob no longer exists. */
export function* replaceWorkspaceSave(accountId: string, copy: WorkspaceCopy, now: number): Script<boolean> {
  const { taskId, blobId, generation } = copy;
  yield releaseBlobs(accountId, copyOwner(taskId));
  if (!(yield* addBlobReferences(accountId, [blobId], copyOwner(taskId)))) return false;
  yield [
    sql(
      `INSERT INTO workspace_saves (account_id, task_id, generation, blob_id, saved_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (account_id, task_id) DO UPDATE
       SET generation = excluded.generation, blob_id = excluded.blob_id, saved_at = excluded.saved_at, packed_bytes = NULL`,
      accountId,
      taskId,
      generation,
      blobId,
      now,
    ),
  ];
  return true;
}

/**
 * Drops the copy of an emptied task; its next generation begins without files. Returns that generation: a number that no folder can have
 * already, not even one restored from a backup that was taken meanwhile.
 */
export function* clearWorkspaceSave(accountId: string, taskId: string, now: number): Script<number> {
  yield [...releasePacked(accountId, taskId), ...releaseBlobs(accountId, copyOwner(taskId))];
  const row = yield* selectOne(
    `INSERT INTO workspace_saves (account_id, task_id, generation, blob_id, saved_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, task_id) DO UPDATE
     SET generation = CASE WHEN workspace_saves.generation < excluded.generation THEN excluded.generation
                           ELSE workspace_saves.generation + 1 END,
         blob_id = excluded.blob_id, saved_at = excluded.saved_at, packed_bytes = NULL
     RETURNING generation`,
    accountId,
    taskId,
    now,
    nothing,
    now,
  );
  return workspaceSaveRow.generation(row);
}

const clearedRow = tableCodec('workspace_saves', { account_id: text, task_id: text, generation: integer });
const { read: readCleared, columns: clearedColumns } = clearedRow;

/** Which of these tasks were emptied and do not run, with the generation of their empty workspace; none while a backup runs. */
export const findClearedWorkspaces: StoreOperation<readonly TaskKey[], ReturnType<typeof readCleared>[]> = {
  name: 'workspaceSaves.findCleared',
  access: 'read',
  *run(tasks) {
    if (tasks.length === 0) return [];
    const padded = padToPowerOfTwo(tasks);
    const rows = yield* selectAll(
      `SELECT ${clearedColumns} FROM workspace_saves s WHERE (account_id, task_id) IN (VALUES ${placeholders(padded.length, 2)})
         AND blob_id = ? AND EXISTS (SELECT 1 FROM tasks t WHERE t.account_id = s.account_id AND t.id = s.task_id AND t.status <> 'running')
         AND NOT ${isBackupRunning}`,
      ...padded.flatMap(({ accountId, taskId }) => [accountId, taskId]),
      nothing,
    );
    return rows.map(readCleared);
  },
};

const isPacked = `EXISTS (SELECT 1 FROM workspace_saves s WHERE s.account_id = ? AND s.task_id = ? AND s.packed_bytes IS NOT NULL)`;

/** Part of deleting or emptying a task: what a packed workspace counts. What a folder counts, its machine releases when it removes the folder. */
function releasePacked(accountId: string, taskId: string): Statement[] {
  const key = [accountId, taskId];
  const used = (column: string) =>
    `COALESCE((SELECT u.${column} FROM workspace_use u WHERE u.account_id = ? AND u.task_id = ?), 0)`;
  return [
    sql(
      `UPDATE storage_use SET workspace_bytes = workspace_bytes - ${used('bytes')}, workspace_files = workspace_files - ${used('files')},
         packed_workspaces = packed_workspaces - 1,
         packed_bytes = packed_bytes - (SELECT s.packed_bytes FROM workspace_saves s WHERE s.account_id = ? AND s.task_id = ?)
       WHERE account_id = ? AND ${isPacked}`,
      ...[...key, ...key, ...key, accountId, ...key],
    ),
    sql(`DELETE FROM workspace_use WHERE account_id = ? AND task_id = ? AND ${isPacked}`, ...key, ...key),
  ];
}

/** Part of deleting a task. */
export function deleteWorkspaceSave(accountId: string, taskId: string): Statement[] {
  return [
    ...releasePacked(accountId, taskId),
    ...releaseBlobs(accountId, copyOwner(taskId)),
    sql('DELETE FROM workspace_saves WHERE account_id = ? AND task_id = ?', accountId, taskId),
  ];
}
