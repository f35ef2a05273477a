import { Fault } from '@errand/base/fault.ts';
import { type Row, type Script, selectFirst, type SqlValue } from '../db/store-operation.ts';
import { taskRow } from '../db/shared-rows.ts';
import { areTeammates, matesOfAccount } from '../db/teammates.ts';

/** Key of a task, and the rights that restrict the search. */
export interface TaskKey {
  accountId: string;
  taskId: string;
  /** Finds the task only if this application created it; null or absent finds any of the account's. */
  onlyClientId?: string | null;
  /** Finds the task only if it was created for this person of the account's product. */
  onlyUserId?: string | null;
  /** Finds the task only while `accountId` shares it with a team of this account. */
  sharedWithId?: string | null;
  /** Finds the task only while it is assigned to this account. */
  assignedToId?: string | null;
}

/** The fault for a missing task. A task that the caller must not know of gets the same one. */
export function taskNotFound(): Fault {
  return new Fault('not_found', 'task not found');
}

/** A condition on `tasks t` that matches this task only. `hasRights` says whether it checks more than the key of the row. */
export function matchTask(key: TaskKey): { where: string; params: SqlValue[]; hasRights: boolean } {
  const { accountId, taskId, onlyClientId = null, onlyUserId = null, sharedWithId = null, assignedToId = null } = key;
  const where = ['t.account_id = ?', 't.id = ?'];
  const params: SqlValue[] = [accountId, taskId];
  if (onlyClientId !== null) {
    where.push('t.oauth_client_id = ?');
    params.push(onlyClientId);
  }
  if (onlyUserId !== null) {
    where.push('t.external_user_id = ?');
    params.push(onlyUserId);
  }
  if (sharedWithId !== null) {
    where.push(`t.share_visibility = 'team' AND ${areTeammates('?', 't')}`);
    params.push(sharedWithId);
  }
  if (assignedToId !== null) {
    where.push('t.assignee = ?');
    params.push(assignedToId);
  }
  return { where: where.join(' AND '), params, hasRights: where.length > 2 };
}

/**
 * The key of a task that a member of one of the caller's teams shares with that team, null if there is none. A caller that is restricted
 * to some tasks reads no others, even shared ones.
 */
export function* findShared({ accountId, taskId, onlyClientId = null, onlyUserId = null }: TaskKey): Script<TaskKey | null> {
  if (onlyClientId !== null || onlyUserId !== null) return null;
  const row = yield* selectFirst(
    `SELECT t.account_id FROM tasks t WHERE t.account_id IN ${matesOfAccount} AND t.id = ?
       AND t.account_id <> ? AND t.share_visibility = 'team' AND ${areTeammates('?', 't')}`,
    ...[accountId, accountId, accountId, accountId],
    ...[taskId, accountId, accountId],
  );
  return row ? { accountId: taskRow.account_id(row), taskId, sharedWithId: accountId } : null;
}

/** The task that a key finds; undefined if there is none. */
export function findMatch(key: TaskKey, lock: '' | ' FOR UPDATE' = ''): Script<Row | undefined> {
  const { where, params } = matchTask(key);
  return selectFirst(`SELECT t.id FROM tasks t WHERE ${where}${lock}`, ...params);
}

/** The key of a task that the caller may read: an own one, or one that a teammate shares. */
export function* findReadable(key: TaskKey): Script<TaskKey> {
  if (yield* findMatch(key)) return key;
  const shared = yield* findShared(key);
  if (!shared) throw taskNotFound();
  return shared;
}

/** The same, locked so that it cannot be deleted meanwhile. */
export function* lockReadable(key: TaskKey): Script<TaskKey> {
  if (yield* findMatch(key, ' FOR UPDATE')) return key;
  const shared = yield* findShared(key);
  if (!shared || !(yield* findMatch(shared, ' FOR UPDATE'))) throw taskNotFound();
  return shared;
}

/** Why a task that was not found cannot be changed: it belongs to somebody who shares it read-only, or it does not exist. */
export function* refuseChange(key: TaskKey): Script<never> {
  if (yield* findShared(key)) {
    throw new Fault(
      'permission_denied',
      'This task is shared with your team for reading; only its owner, or the member to whom it is handed over, can change it.',
    );
  }
  throw taskNotFound();
}
