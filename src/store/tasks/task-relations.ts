import { type StoreOperation, selectFirst } from '../db/store-operation.ts';
import { matchTask, type TaskKey, taskNotFound } from '../events/task-key.ts';
import { isMember, teamOf } from '../db/teammates.ts';
import { computedCodec, flag, nullable, text } from '../db/row-codec.ts';
import { leavingOwner } from './task-leases.ts';
import { accountRow } from '../db/shared-rows.ts';

const situationRow = computedCodec('tasks.readRelations', { team: nullable(text), team_id: nullable(text), queued: flag });

/** The relations of a task. */
export interface TaskRelations {
  ownerEmail: string;
  /** The team that the task belongs to, null if there is none, or its owner has left it. */
  team: { id: string; name: string } | null;
  /** Whether the task is due and has no worker. */
  isQueued: boolean;
}

export const readTaskRelations: StoreOperation<TaskKey, TaskRelations> = {
  name: 'tasks.readRelations',
  access: 'read',
  *run(key) {
    const { where, params } = matchTask(key);
    const row = yield* selectFirst(
      `SELECT a.email, CASE WHEN (t.lease_owner IS NULL OR t.lease_owner = '${leavingOwner}') AND t.wake_at <= errand_now() THEN 1 ELSE 0 END AS queued, g.team_id, g.name AS team
       FROM tasks t JOIN accounts a ON a.account_id = t.account_id
       LEFT JOIN teams g ON g.team_id = ${teamOf('t')} AND ${isMember('t.account_id', 'g.team_id')} WHERE ${where}`,
      ...params,
    );
    if (!row) throw taskNotFound();
    const [id, name] = [situationRow.team_id(row), situationRow.team(row)];
    return {
      ownerEmail: accountRow.email(row),
      team: id === null || name === null ? null : { id, name },
      isQueued: situationRow.queued(row),
    };
  },
};
