import type { Decider } from '../../rules/inbox/decider.ts';
import type { ReplyBudget } from '../../rules/budgets/budget.ts';
import { rankOf, type TaskPriority } from '../../rules/limits/task-priority.ts';
import { changeMetadata, type MetadataChange } from '../../rules/tasks/task-metadata.ts';
import { type Script, type StoreOperation, selectFirst, sql } from '../db/store-operation.ts';
import { deleteMetadata, insertMetadata, packMetadata } from './task-metadata.ts';
import { readTask, type ShareVisibility, type TaskRecord, taskColumns } from './task-record.ts';
import { type TaskKey, taskNotFound } from '../events/task-key.ts';
import { announceDue, announceTask } from '../events/task-log.ts';
import { endTeam, keepTeam } from '../db/teammates.ts';
import { raiseBudget, removeBudget } from './reply-budgets.ts';
import { lockTask } from './tasks.ts';
import { taskRow } from '../db/shared-rows.ts';

export interface UpdateTaskArgs extends TaskKey {
  now: number;
  title: string | null;
  isHidden: boolean | null;
  /** Null keeps it. */
  isPinned?: boolean | null;
  isArchived?: boolean | null;
  metadata?: MetadataChange;
  /** What each of its replies may cost; null removes the limit. */
  budget?: ReplyBudget | null;
  /** `freshShareId` is used when sharing is turned on: a new URL each time. */
  /** Null keeps it. */
  priority?: TaskPriority | null;
  share: { visibility: ShareVisibility; freshShareId: string } | null;
  /** The caller. If the task waits for its budget, this change decides that item. */
  decider?: Decider | null;
}

/** Changes the metadata of a locked task. */
function* updateMetadata(key: TaskKey, change: MetadataChange): Script<void> {
  if (Object.keys(change).length === 0) return;
  const { accountId, taskId } = key;
  const row = yield* selectFirst('SELECT metadata FROM tasks WHERE account_id = ? AND id = ?', accountId, taskId);
  const metadata = changeMetadata((row ? taskRow.metadata(row) : null) ?? {}, change);
  yield [
    sql('UPDATE tasks SET metadata = ? WHERE account_id = ? AND id = ?', packMetadata(metadata), accountId, taskId),
    deleteMetadata(key),
    ...insertMetadata(key, metadata),
  ];
}

export const updateTask: StoreOperation<UpdateTaskArgs, TaskRecord> = {
  name: 'tasks.update',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ now, title, isHidden, share, metadata = {}, budget, priority = null, decider = null, ...args }) {
    const { isPinned = null, isArchived = null, ...key } = args;
    const { accountId, taskId } = key;
    const row = yield* lockTask(key);
    const visibility = share?.visibility ?? taskRow.share_visibility(row);
    const keptShareId = taskRow.share_id(row) ?? share?.freshShareId ?? null;
    const shareId = visibility === 'private' ? null : keptShareId;
    const hidden = Number(isHidden ?? taskRow.hidden(row));
    const team = share ? `, ${share.visibility === 'team' ? keepTeam('tasks') : endTeam}` : '';
    yield [
      sql(
        `UPDATE tasks SET title = ?, ${title === null ? '' : 'auto_title = 0, '}hidden = ?, share_visibility = ?, share_id = ?, priority = COALESCE(?, priority),
         pinned = COALESCE(?, pinned), archived = COALESCE(?, archived), updated_at = ?
         ${title === null ? '' : ', search_due_at = errand_now()'} ${visibility === 'team' ? '' : ', assignee = NULL'}${team} WHERE account_id = ? AND id = ?`,
        title ?? taskRow.title(row),
        hidden,
        visibility,
        shareId,
        priority && rankOf(priority),
        isPinned === null ? null : Number(isPinned),
        isArchived === null ? null : Number(isArchived),
        now,
        accountId,
        taskId,
      ),
    ];
    yield* updateMetadata(key, metadata);
    if (budget) yield* raiseBudget(row, budget, now, 'budget.credits', decider);
    if (budget === null) yield* removeBudget(row, now, decider);
    const updated = yield* selectFirst(
      `SELECT ${taskColumns} FROM tasks t WHERE t.account_id = ? AND t.id = ?`,
      accountId,
      taskId,
    );
    if (!updated) throw taskNotFound();
    return readTask(updated);
  },
  announce: ({ taskId, budget }) => (budget !== undefined ? announceDue(taskId) : announceTask(taskId)),
};
