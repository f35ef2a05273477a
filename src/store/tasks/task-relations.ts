import { type StoreOperation, selectFirst } from '../db/store-operation.ts';
import { matchTask, type TaskKey, taskNotFound } from '../events/task-key.ts';
import { computedCodec, flag, nullable, text } from '../db/row-codec.ts';
import { leavingOwner } from './task-leases.ts';
import { accountRow } from '../db/shared-rows.ts';

const situationRow = computedCodec('tasks.readRelations', { team: nullable(text), queued: flag });

/** The relations of a task. */
export interface TaskRelations {
  ownerEmail: string;
  /** The name of the owner's team, null if there is none. */
  team: string | null;
  /** Whether the task is due and has no worker. */
  isQueued: boolean;
}

export const readTaskRelations: StoreOperation<TaskKey, TaskRelations> = {
  name: 'tasks.readRelations',
  access: 'read',
  *run(key) {
    const { where, params } = matchTask(key);
    const row = yield* selectFirst(
      `SELECT a.email, CASE WHEN (t.lease_owner IS NULL OR t.lease_owner = '${leavingOwner}') AND t.wake_at <= errand_now() THEN 1 ELSE 0 END AS queued, (SELECT g.name FROM team_members m JOIN teams g ON g.team_id = m.team_id
         WHERE m.account_id = t.account_id) AS team
       FROM tasks t JOIN accounts a ON a.account_id = t.account_id WHERE ${where}`,
      ...params,
    );
    if (!row) throw taskNotFound();
    return {
      ownerEmail: accountRow.email(row),
      team: situationRow.team(row),
      isQueued: situationRow.queued(row),
    };
  },
};
