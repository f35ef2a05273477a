/**
 * Tasks that name no team belong to the current one of their account, and whoever leaves that team writes its name into them. To do so
 * earlier changes nothing about a task. So most are named before, in small steps, and few are left for the transaction of the switch, for
 * which everything that works on these tasks waits.
 */
import { taskRow, teamMemberRow } from '../db/shared-rows.ts';
import { isUnnamedTask } from '../db/teammates.ts';
import { findRow, lockAccount, marks, padToPowerOfTwo, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';

export interface UnnamedArgs {
  accountId: string;
  /** Exclusive. */
  afterId: string;
  limit: number;
}

/** The ids of the tasks of an account that name no team, the oldest first. */
export const listUnnamedTasks: StoreOperation<UnnamedArgs, string[]> = {
  name: 'teams.listUnnamedTasks',
  access: 'read',
  scans: ({ accountId }) => accountId,
  *run({ accountId, afterId, limit }) {
    const rows = yield* selectAll(
      `SELECT id FROM tasks WHERE account_id = ? AND id > ? AND ${isUnnamedTask} ORDER BY id LIMIT ?`,
      ...[accountId, afterId, limit],
    );
    return rows.map(taskRow.id);
  },
};

export interface NameTasksArgs {
  accountId: string;
  /** The current team; empty for none. If it is another by now, nothing happens. */
  teamId: string;
  /** At least one. */
  taskIds: readonly string[];
}

/** Names the current team in tasks that name none. Those that others work on are left out: a step waits for nobody. */
export const nameTasks: StoreOperation<NameTasksArgs, null> = {
  name: 'teams.nameTasks',
  access: 'exclusive',
  *run({ accountId, teamId, taskIds }) {
    yield* lockAccount(accountId);
    const current = yield* findRow('team_id', 'team_members', { account_id: accountId });
    if ((current ? teamMemberRow.team_id(current) : '') !== teamId) return null;
    const wanted = padToPowerOfTwo(taskIds);
    const free = yield* selectAll(
      `SELECT id FROM tasks WHERE account_id = ? AND id IN (${marks(wanted.length)}) AND ${isUnnamedTask}
       ORDER BY id FOR UPDATE SKIP LOCKED`,
      ...[accountId, ...wanted],
    );
    if (free.length === 0) return null;
    const named = padToPowerOfTwo(free.map(taskRow.id));
    yield [
      sql(
        `UPDATE tasks SET team_id = ? WHERE account_id = ? AND id IN (${marks(named.length)})`,
        ...[teamId, accountId, ...named],
      ),
    ];
    return null;
  },
};
