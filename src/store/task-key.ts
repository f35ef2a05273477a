import { Fault } from '../base/fault.ts';
import type { SqlValue } from './db/operation.ts';

/** Where a task is kept, and within which rights it is looked for. */
export interface TaskKey {
  accountId: string;
  taskId: string;
  /** Finds the task only if this application created it; null or absent finds any of the account's. */
  onlyClientId?: string | null;
}

/** The one answer for a task that is missing and for one that the caller may not know of. */
export function taskNotFound(): Fault {
  return new Fault('not_found', 'task not found');
}

/**
 * The condition of a statement on `tasks` that finds this task and no other.
 * @param prefix of the columns, such as `t.`
 */
export function matchTask({ accountId, taskId, onlyClientId }: TaskKey, prefix = ''): { where: string; params: SqlValue[] } {
  const where = `${prefix}account_id = ? AND ${prefix}id = ?`;
  if (onlyClientId === null || onlyClientId === undefined) return { where, params: [accountId, taskId] };
  return { where: `${where} AND ${prefix}oauth_client_id = ?`, params: [accountId, taskId, onlyClientId] };
}
