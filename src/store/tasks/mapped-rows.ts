import type { PlacedState, RowState } from '../../rules/rows/row-work.ts';
import { integer, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import {
  lockRow,
  placeholders,
  type Row,
  type Script,
  selectAll,
  sql,
  type Statement,
  type StoreOperation,
} from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import type { Lease } from './task-leases.ts';

/** How many other tables of a task are kept, besides the one in progress: the latest. */
const mostOtherJobs = 3;

const mappedRow = tableCodec('mapped_rows', {
  job: text,
  position: integer,
  call_id: text,
  state: oneOf<RowState['state']>(),
  body: text,
});
const stored = mappedRow.pick('position, state, body');

function readState(row: Row): PlacedState {
  const { position, state, body } = stored.read(row);
  return state === 'done' ? { position, state, value: JSON.parse(body) as unknown } : { position, state, reason: body };
}

function bodyOf(state: RowState): string {
  return state.state === 'done' ? JSON.stringify(state.value) : state.reason;
}

/** The row of the task, if the lease is still valid. */
function* lockLeased({ accountId, taskId, fence }: Lease): Script<Row | undefined> {
  return yield* lockRow('crashes', 'tasks', { account_id: accountId, id: taskId, fence });
}

export interface OpenJobArgs extends Lease {
  job: string;
  callId: string;
}

/**
 * Begins or resumes work on a table, and forgets the oldest of the others. Rows that failed in an earlier call are open again. Null if the
 * lease is lost.
 */
export const openRowJob: StoreOperation<OpenJobArgs, PlacedState[] | null> = {
  name: 'mappedRows.open',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ job, callId, ...lease }) {
    if (!(yield* lockLeased(lease))) return null;
    const { accountId, taskId } = lease;
    const others = yield* selectAll(
      `SELECT job FROM mapped_rows WHERE account_id = ? AND task_id = ? AND job <> ? GROUP BY job ORDER BY MAX(stored_at) DESC, job`,
      ...[accountId, taskId, job],
    );
    yield [
      ...others
        .slice(mostOtherJobs)
        .map((row) =>
          sql('DELETE FROM mapped_rows WHERE account_id = ? AND task_id = ? AND job = ?', accountId, taskId, mappedRow.job(row)),
        ),
      sql(
        "DELETE FROM mapped_rows WHERE account_id = ? AND task_id = ? AND job = ? AND state <> 'done' AND call_id <> ?",
        ...[accountId, taskId, job, callId],
      ),
    ];
    const rows = yield* selectAll(
      `SELECT ${stored.columns} FROM mapped_rows WHERE account_id = ? AND task_id = ? AND job = ? ORDER BY position`,
      ...[accountId, taskId, job],
    );
    return rows.map(readState);
  },
};

export interface SaveRowsArgs extends OpenJobArgs {
  now: number;
  /** New states, at least one and at most one for each row. */
  states: readonly PlacedState[];
  /** Cost of the calls that gave these answers, in millionths of a credit. */
  cost: number;
}

/**
 * Stores the outcomes of rows; false if the lease is lost. This is progress, so deaths of earlier workers no longer count. The cost is
 * added to that of the calls in progress, which is charged if the worker ends before it logs the end of the wave, and replaced by the bill
 * otherwise.
 */
export const saveRows: StoreOperation<SaveRowsArgs, boolean> = {
  name: 'mappedRows.save',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ job, callId, now, states, cost, ...lease }) {
    const task = yield* lockLeased(lease);
    if (!task) return false;
    const { accountId, taskId } = lease;
    yield [
      sql(
        `INSERT INTO mapped_rows (account_id, task_id, job, position, call_id, state, body, stored_at)
         VALUES ${placeholders(states.length, 8)} ON CONFLICT (account_id, task_id, job, position) DO UPDATE
         SET call_id = excluded.call_id, state = excluded.state, body = excluded.body, stored_at = excluded.stored_at`,
        ...states.flatMap((state) => [accountId, taskId, job, state.position, callId, state.state, bodyOf(state), now]),
      ),
      ...(taskRow.crashes(task) === 0 && cost === 0
        ? []
        : [
            sql(
              'UPDATE tasks SET crashes = 0, open_cost = open_cost + ? WHERE account_id = ? AND id = ?',
              ...[cost, accountId, taskId],
            ),
          ]),
    ];
    return true;
  },
};

/** Deletes the rows; part of emptying or deleting a task. */
export function deleteMappedRows({ accountId, taskId }: TaskKey): Statement {
  return sql('DELETE FROM mapped_rows WHERE account_id = ? AND task_id = ?', accountId, taskId);
}
