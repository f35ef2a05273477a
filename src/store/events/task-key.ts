import { Fault } from '@errand/base/fault.ts';
import { type Script, selectFirst, type SqlValue } from '../db/store-operation.ts';
import { taskRow } from '../db/shared-rows.ts';

/** Where a task is kept, and within which rights it is looked for. */
export interface TaskKey {
  accountId: string;
  taskId: string;
  /** Finds the task only if this application created it; null or absent finds any of the account's. */
  onlyClientId?: string | null;
  /** Finds the task only while `accountId` shares it with the team that this account is in too. */
  sharedWithId?: string | null;
}

/** The one answer for a task that is missing and for one that the caller may not know of. */
export function taskNotFound(): Fault {
  return new Fault('not_found', 'task not found');
}

/**
 * The condition of a statement on `tasks t` that finds this task and no other. `hasRights` says that there is more to it than
 * the key of the row.
 */
export function matchTask(key: TaskKey): { where: string; params: SqlValue[]; hasRights: boolean } {
  const { accountId, taskId, onlyClientId = null, sharedWithId = null } = key;
  const where = ['t.account_id = ?', 't.id = ?'];
  const params: SqlValue[] = [accountId, taskId];
  if (onlyClientId !== null) {
    where.push('t.oauth_client_id = ?');
    params.push(onlyClientId);
  }
  if (sharedWithId !== null) {
    where.push(`t.share_visibility = 'team' AND EXISTS (SELECT 1 FROM team_members me
      JOIN team_members mate ON mate.team_id = me.team_id WHERE me.account_id = ? AND mate.account_id = t.account_id)`);
    params.push(sharedWithId);
  }
  return { where: where.join(' AND '), params, hasRights: where.length > 2 };
}

/**
 * The key of a task that somebody in the caller's team shares with the team, null when there is none. An application that is
 * bound to its own tasks reads no others, whoever shares them.
 */
export function* findShared({ accountId, taskId, onlyClientId = null }: TaskKey): Script<TaskKey | null> {
  if (onlyClientId !== null) return null;
  const row = yield* selectFirst(
    `SELECT t.account_id FROM team_members me JOIN team_members mate ON mate.team_id = me.team_id
     JOIN tasks t ON t.account_id = mate.account_id AND t.id = ? AND t.share_visibility = 'team'
     WHERE me.account_id = ? AND mate.account_id <> me.account_id`,
    taskId,
    accountId,
  );
  return row ? { accountId: taskRow.account_id(row), taskId, sharedWithId: accountId } : null;
}

/** Why a task that was not found cannot be changed: it is somebody else's who lets the caller read it, or it does not exist. */
export function* refuseChange(key: TaskKey): Script<never> {
  if (yield* findShared(key)) {
    throw new Fault('permission_denied', 'This task is shared with your team for reading; only its owner can change it.');
  }
  throw taskNotFound();
}
