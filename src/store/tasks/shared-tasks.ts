import { type StoreOperation, selectFirst } from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import { areTeammates } from '../db/teammates.ts';
import { readTask, type TaskRecord, taskColumns } from './task-record.ts';
import { taskRow } from '../db/shared-rows.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import { computedCodec, integer, json, nullable } from '../db/row-codec.ts';

const mateRow = computedCodec('tasks.findShared', { is_mate: integer });

export interface FindSharedTaskArgs {
  shareId: string;
  /** The reader's account, null if not signed in. */
  readerId: string | null;
}

/** A task by the id in its share_url, as far as the reader may see it: null if it is private again, or was never shared. */
export type SharedTask =
  | { isVisible: true; task: TaskRecord }
  /** The task is shared with a team, and the reader is not signed in. */
  | { isVisible: false };

export const findSharedTask: StoreOperation<FindSharedTaskArgs, SharedTask | null> = {
  name: 'tasks.findShared',
  access: 'read',
  *run({ shareId, readerId }) {
    const row = yield* selectFirst(
      `SELECT ${taskColumns}, CASE WHEN ${areTeammates('?', 't')} THEN 1 ELSE 0 END AS is_mate
       FROM tasks t INDEXED BY tasks_by_share WHERE t.share_id = ?`,
      readerId ?? '',
      shareId,
    );
    if (!row) return null;
    const task = readTask(row);
    if (task.shareVisibility === 'public') return { isVisible: true, task };
    if (task.shareVisibility !== 'team') return null;
    if (readerId === null) return { isVisible: false };
    return task.accountId === readerId || mateRow.is_mate(row) > 0 ? { isVisible: true, task } : null;
  },
};

/** The task that is shared under this id now, for a caller with a URL signed for it; null if there is none any longer. */
export const findTaskOfShare: StoreOperation<{ shareId: string }, TaskKey | null> = {
  name: 'tasks.findOfShare',
  access: 'read',
  *run({ shareId }) {
    const row = yield* selectFirst(
      `SELECT account_id, id FROM tasks INDEXED BY tasks_by_share WHERE share_id = ? AND share_visibility <> 'private'`,
      shareId,
    );
    return row ? { accountId: taskRow.account_id(row), taskId: taskRow.id(row) } : null;
  },
};

const coverRow = computedCodec('tasks.findPublic', { cover: nullable(json<StoredFile>()) });

/** What link previews show of a task that is shared with everybody: its title, and the picture of its first result that has one. */
export interface PublicTask {
  accountId: string;
  title: string;
  cover: StoredFile | null;
}

/** The task that everybody may see under this id now; null for anything else. */
export const findPublicTask: StoreOperation<{ shareId: string }, PublicTask | null> = {
  name: 'tasks.findPublic',
  access: 'read',
  *run({ shareId }) {
    const row = yield* selectFirst(
      `SELECT t.account_id, t.title, (SELECT a.cover FROM artifacts a INDEXED BY artifacts_by_task WHERE a.account_id = t.account_id AND a.task_id = t.id
         AND a.cover IS NOT NULL ORDER BY a.id LIMIT 1) AS cover
       FROM tasks t INDEXED BY tasks_by_share WHERE t.share_id = ? AND t.share_visibility = 'public'`,
      shareId,
    );
    return row ? { accountId: taskRow.account_id(row), title: taskRow.title(row), cover: coverRow.cover(row) } : null;
  },
};
