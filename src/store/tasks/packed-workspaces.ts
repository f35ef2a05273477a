import { dropBlob, releaseBlobs } from '../blobs/blob-references.ts';
import { changeStorageUse, readWorkspaceUse, recordWorkspaceUse, storageKey } from '../blobs/storage-use.ts';
import { isBackupRunning } from '../db/backup-hold.ts';
import { integer, nullable, tableCodec, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import {
  lockRow,
  padToPowerOfTwo,
  placeholders,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import type { Lease } from './task-leases.ts';
import { copyOwner, replaceCopy } from './workspace-saves.ts';

const saveRow = tableCodec('workspace_saves', { generation: integer, packed_bytes: nullable(integer) });

/** A task in which nothing has happened for a while, with the number of the newest copy of its workspace; 0 without a copy. */
export interface QuietTask extends Lease {
  generation: number;
}

/** Which of these tasks nothing can claim and nothing has changed for `quietMs`; none while a backup runs, which copies folders. */
export const listQuietTasks: StoreOperation<{ tasks: readonly TaskKey[]; quietMs: number }, QuietTask[]> = {
  name: 'packedWorkspaces.listQuiet',
  access: 'read',
  *run({ tasks, quietMs }) {
    if (tasks.length === 0) return [];
    const padded = padToPowerOfTwo(tasks);
    const rows = yield* selectAll(
      `SELECT t.account_id, t.id, t.fence, COALESCE(s.generation, 0) AS generation FROM tasks t
       LEFT JOIN workspace_saves s ON s.account_id = t.account_id AND s.task_id = t.id
       WHERE (t.account_id, t.id) IN (VALUES ${placeholders(padded.length, 2)}) AND t.wake_at IS NULL AND t.lease_owner IS NULL
       AND t.updated_at < errand_now() - ? AND t.last_event_at < errand_now() - ? AND NOT ${isBackupRunning}`,
      ...padded.flatMap(({ accountId, taskId }) => [accountId, taskId]),
      quietMs,
      quietMs,
    );
    return rows.map((row) => ({
      accountId: taskRow.account_id(row),
      taskId: taskRow.id(row),
      fence: taskRow.fence(row),
      generation: saveRow.generation(row),
    }));
  },
};

export interface RecordPackedArgs extends QuietTask {
  /** The verified archive of the folder, which nothing references yet. */
  blobId: string;
  bytes: number;
  /** The number of the archive: greater than that of the newest copy and that of the folder. */
  next: number;
  now: number;
}

/** Whether the task is as it was found: nobody has claimed it since, no backup has begun, and no other copy was recorded. */
function* isStillQuiet({ accountId, taskId, fence, generation }: RecordPackedArgs): Script<boolean> {
  const task = yield* lockRow('fence, lease_owner, wake_at', 'tasks', { account_id: accountId, id: taskId });
  if (!task || taskRow.fence(task) !== fence) return false;
  if (taskRow.lease_owner(task) !== null || taskRow.wake_at(task) !== null) return false;
  if (yield* selectFirst(`SELECT 1 AS found WHERE ${isBackupRunning}`)) return false;
  const save = yield* lockRow('generation', 'workspace_saves', { account_id: accountId, task_id: taskId });
  return (save ? saveRow.generation(save) : 0) === generation;
}

/**
 * Makes an archive the copy of a workspace whose folder is to be removed. False if something has happened to the task meanwhile: the
 * archive is then dropped. The workspace counts less by what the archive counts, so the account stores as much as before.
 */
export const recordPackedWorkspace: StoreOperation<RecordPackedArgs, boolean> = {
  name: 'packedWorkspaces.record',
  access: 'exclusive',
  keys: ({ taskId, accountId }) => [taskId, storageKey(accountId)],
  *run(args) {
    const { accountId, taskId, blobId, bytes, next, now } = args;
    if (!(yield* isStillQuiet(args))) {
      yield [dropBlob(accountId, blobId)];
      return false;
    }
    yield* replaceCopy(accountId, taskId, blobId);
    yield [
      sql(
        `INSERT INTO workspace_saves (account_id, task_id, generation, blob_id, saved_at, packed_bytes) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (account_id, task_id) DO UPDATE SET generation = excluded.generation, blob_id = excluded.blob_id,
         saved_at = excluded.saved_at, packed_bytes = excluded.packed_bytes`,
        ...[accountId, taskId, next, blobId, now, bytes],
      ),
    ];
    yield* changeStorageUse(accountId, { packed: { bytes, files: 1 } });
    const { workspace } = yield* readWorkspaceUse.run({ accountId, taskId });
    const rest = { bytes: Math.max(0, workspace.bytes - bytes), files: workspace.files };
    yield* recordWorkspaceUse.run({ accountId, taskId, ...rest });
    return true;
  },
  measure: (_, isPacked) => [{ counter: 'errand_workspaces_packed_total', count: isPacked ? 1 : 0 }],
};

export interface RecordUnpackedArgs extends TaskKey {
  /** The number of the archive that was unpacked. */
  generation: number;
  /** Whether other machines may need the copy. */
  keepsCopy: boolean;
}

/** Notes that the folder of a packed workspace is there again. False if it was not packed, or has another copy by now. */
export const recordUnpackedWorkspace: StoreOperation<RecordUnpackedArgs, boolean> = {
  name: 'packedWorkspaces.recordUnpacked',
  access: 'exclusive',
  keys: ({ taskId, accountId }) => [taskId, storageKey(accountId)],
  *run({ accountId, taskId, generation, keepsCopy }) {
    const save = yield* lockRow('generation, packed_bytes', 'workspace_saves', { account_id: accountId, task_id: taskId });
    const bytes = save ? saveRow.packed_bytes(save) : null;
    if (!save || bytes === null || saveRow.generation(save) !== generation) return false;
    const change = keepsCopy
      ? [sql('UPDATE workspace_saves SET packed_bytes = NULL WHERE account_id = ? AND task_id = ?', accountId, taskId)]
      : [
          ...releaseBlobs(accountId, copyOwner(taskId)),
          sql('DELETE FROM workspace_saves WHERE account_id = ? AND task_id = ?', accountId, taskId),
        ];
    yield change;
    yield* changeStorageUse(accountId, { packed: { bytes: -bytes, files: -1 } });
    // What it counted less; the sweeper measures the folder later. Measuring unlocks folders that tool code has locked.
    const { workspace } = yield* readWorkspaceUse.run({ accountId, taskId });
    yield* recordWorkspaceUse.run({ accountId, taskId, bytes: workspace.bytes + bytes, files: workspace.files });
    return true;
  },
  measure: (_, isUnpacked) => [{ counter: 'errand_workspaces_unpacked_total', count: isUnpacked ? 1 : 0 }],
};

/** Copies of workspaces in the order of their keys, as far as they are packed. */
export interface PackedPage {
  /** With the size of each archive. */
  packed: (TaskKey & { bytes: number })[];
  /** The last copy that was looked at, packed or not; null at the end. */
  end: TaskKey | null;
}

const copyRow = tableCodec('workspace_saves', { account_id: text, task_id: text, packed_bytes: nullable(integer) });

/** Which of the next `limit` copies of the instance are packed. `after` is exclusive; null starts at the first. */
export const listPackedWorkspaces: StoreOperation<{ after: TaskKey | null; limit: number }, PackedPage> = {
  name: 'packedWorkspaces.list',
  access: 'read',
  *run({ after, limit }) {
    const rows = yield* selectAll(
      `SELECT ${copyRow.columns} FROM workspace_saves WHERE (account_id, task_id) > (?, ?) ORDER BY account_id, task_id LIMIT ?`,
      after?.accountId ?? '',
      after?.taskId ?? '',
      limit,
    );
    const copies = rows.map(copyRow.read);
    const packed = copies.flatMap(({ accountId, taskId, packedBytes }) =>
      packedBytes === null ? [] : [{ accountId, taskId, bytes: packedBytes }],
    );
    const last = copies.length === limit ? copies.at(-1) : undefined;
    return { packed, end: last ? { accountId: last.accountId, taskId: last.taskId } : null };
  },
};
