import { Fault } from '@errand/base/fault.ts';
import { afterEveryId } from '@errand/base/ids.ts';
import { accountRow, taskRow } from '../../db/shared-rows.ts';
import {
  findRow,
  type Row,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type Statement,
  type StoreOperation,
} from '../../db/store-operation.ts';
import { findMatch, findShared, refuseChange, type TaskKey } from '../../events/task-key.ts';
import { announceTask, selectLocked } from '../../events/task-log.ts';
import { areTeammates, membersOfTeam, teamOf } from '../../db/teammates.ts';
import { announceNotices, queueNotice } from '../../notifications/notification-queue.ts';
import { readTask, type TaskRecord, taskColumns } from '../task-record.ts';
import { getTask } from '../tasks.ts';

/** Throws unless an account may be asked to act in a task of another: it is active, and in the task's team, which the task is shared with. */
export function* checkTeammate(accountId: string, assignee: string, task: Row): Script<void> {
  const param = 'account_id';
  const mate = yield* selectFirst(
    `SELECT a.status FROM tasks t JOIN accounts a ON a.account_id = ?
     WHERE t.account_id = ? AND t.id = ? AND ${areTeammates('a.account_id', 't')}`,
    assignee,
    accountId,
    taskRow.id(task),
  );
  if (!mate) throw new Fault('not_found', 'account_id: no such member of your team', { param });
  if (accountRow.status(mate) !== 'active') {
    throw new Fault('failed_precondition', 'account_id: the account of this member is not active.', { param });
  }
  if (taskRow.share_visibility(task) === 'team') return;
  const problem = 'account_id: share the task with your team first, so that the member can read it.';
  throw new Fault('failed_precondition', problem, { param });
}

/** The key of a task that is handed over to the caller; null if it is not. */
function* findHandedOver(key: TaskKey): Script<TaskKey | null> {
  const shared = yield* findShared(key);
  if (!shared) return null;
  const assigned = { ...shared, assignedToId: key.accountId };
  return (yield* findMatch(assigned)) ? assigned : null;
}

/**
 * The key with which the caller changes a task: of an own one, or of one that a teammate has handed over. For any other task it is the
 * given one, with which the change is refused. A change with the key proves the right again.
 */
export const findWorkKey: StoreOperation<TaskKey, TaskKey> = {
  name: 'tasks.findWorkKey',
  access: 'read',
  *run(key) {
    if (yield* findMatch(key)) return key;
    return (yield* findHandedOver(key)) ?? key;
  },
};

/** The task of the caller or, for giving it back, the one that is handed over to the caller; locked. */
function* lockHandedOver(key: TaskKey, assignee: string | null): Script<Row> {
  const [[own] = []] = yield [selectLocked(key)];
  if (own) return own;
  const assigned = assignee === null ? yield* findHandedOver(key) : null;
  const [[row] = []] = assigned ? yield [selectLocked(assigned)] : [];
  return row ?? (yield* refuseChange(key));
}

export interface HandOverArgs extends TaskKey {
  /** Who acts in the task from now on; null, or the owner, gives it back to the owner. */
  assignee: string | null;
  now: number;
}

/** Names the member of the team who acts in a task for its owner. The owner keeps all rights; the assignee can give it back. */
export const handOverTask: StoreOperation<HandOverArgs, { task: TaskRecord; isNotified: boolean }> = {
  name: 'tasks.handOver',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ assignee: named, now, ...caller }) {
    const row = yield* lockHandedOver(caller, named);
    const key = { accountId: taskRow.account_id(row), taskId: taskRow.id(row) };
    const assignee = named === key.accountId ? null : named;
    if (assignee !== null) {
      if (taskRow.parent_id(row) !== null)
        throw new Fault('failed_precondition', 'A subtask goes with its task; hand that over.');
      yield* checkTeammate(key.accountId, assignee, row);
    }
    const before = yield* findRow('assignee', 'tasks', { account_id: key.accountId, id: key.taskId });
    const isNotified = assignee !== null && before !== undefined && taskRow.assignee(before) !== assignee;
    yield [
      sql(
        'UPDATE tasks SET assignee = ?, updated_at = ? WHERE account_id = ? AND id = ?',
        assignee,
        now,
        key.accountId,
        key.taskId,
      ),
    ];
    const task = yield* getTask.run(key);
    if (isNotified) {
      // With the task's own time: who hands it over again and again queues one notification.
      const about = { kind: 'assigned', taskAccountId: key.accountId, taskId: key.taskId, seq: 0 } as const;
      yield [queueNotice({ ...about, accountId: assignee, now: task.createdAtMs })];
    }
    return { task, isNotified };
  },
  announce: ({ taskId }, { task, isNotified }) => [
    ...announceTask(taskId),
    { topic: 'tasks', accountId: task.accountId },
    ...announceNotices(isNotified),
  ],
};

export interface ListAssignedArgs {
  accountId: string;
  /** Exclusive: only older ones. */
  beforeId: string | null;
  limit: number;
}

/** A page of the tasks that teammates have handed over to an account, the latest first. */
export const listAssignedTasks: StoreOperation<ListAssignedArgs, TaskRecord[]> = {
  name: 'tasks.listAssigned',
  access: 'read',
  *run({ accountId, beforeId, limit }) {
    const rows = yield* selectAll(
      `SELECT ${taskColumns} FROM tasks t INDEXED BY tasks_by_assignee
       WHERE t.assignee = ? AND t.id < ? AND t.share_visibility = 'team' AND ${areTeammates('t.assignee', 't')}
       ORDER BY t.id DESC LIMIT ?`,
      ...[accountId, beforeId ?? afterEveryId, limit],
    );
    return rows.map(readTask);
  },
};

/** Ends the hand-over of the tasks `t` that match. Locks them in the order in which batches do. */
function* clearAssignees(condition: string, ...params: string[]): Script<void> {
  const found = yield* selectAll(
    `SELECT account_id, id FROM tasks t INDEXED BY tasks_by_assignee WHERE ${condition} ORDER BY t.id FOR UPDATE`,
    ...params,
  );
  yield found.map(
    (row): Statement =>
      sql('UPDATE tasks SET assignee = NULL WHERE account_id = ? AND id = ?', taskRow.account_id(row), taskRow.id(row)),
  );
}

/** Ends what is handed over in a team by a member who leaves it, and to that member. */
export function* endHandOvers(accountId: string, teamId: string): Script<void> {
  const condition = `t.assignee IN ${membersOfTeam} AND (t.assignee = ? OR t.account_id = ?) AND ${teamOf('t')} = ?`;
  yield* clearAssignees(condition, teamId, teamId, accountId, accountId, teamId);
}

/** Ends what is handed over to an account that is being deleted. */
export function* endHandOversTo(accountId: string): Script<void> {
  yield* clearAssignees('t.assignee = ?', accountId);
}
