/** Ends of leases other than the end of a turn; what they say about the task is in `rules/tasks/crash-blame`. */
import { countCrashes } from '../../rules/tasks/crash-blame.ts';
import { type StoreOperation, selectAll, selectFirst } from '../db/store-operation.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { type Lease, leaseRows, leavingOwner, type RenewArgs } from './task-leases.ts';

/** Notes that a worker was told to stop. It keeps its leases, and if it is ended from now on, its tasks are not to blame. */
export const leaveLeases: StoreOperation<Omit<RenewArgs, 'ttlMs'>, null> = {
  name: 'leases.leave',
  access: 'priority',
  *run({ workerId, leases }) {
    if (leases.length === 0) return null;
    const { list, params } = leaseRows(leases);
    yield* selectAll(`SELECT id FROM tasks WHERE ${list} ORDER BY id FOR UPDATE`, ...params);
    yield* selectAll(
      `UPDATE tasks SET lease_owner = '${leavingOwner}' WHERE lease_owner = ? AND ${list} RETURNING id`,
      workerId,
      ...params,
    );
    return null;
  },
};

/** Releases tasks at once, unchanged, for the next claim. The mark of a worker that was told to stop remains, for the next one to read. */
export const releaseLeases: StoreOperation<Omit<RenewArgs, 'ttlMs'>, null> = {
  name: 'leases.release',
  access: 'priority',
  *run({ workerId, leases }) {
    if (leases.length === 0) return null;
    const { list, params } = leaseRows(leases);
    yield* selectAll(`SELECT id FROM tasks WHERE ${list} ORDER BY id FOR UPDATE`, ...params);
    yield* selectAll(
      `UPDATE tasks SET wake_at = errand_now(), lease_owner = CASE WHEN lease_owner = '${leavingOwner}' THEN lease_owner END
       WHERE lease_owner IN (?, '${leavingOwner}') AND ${list} RETURNING id`,
      workerId,
      ...params,
    );
    return null;
  },
  announce: () => [{ topic: 'due' }],
};

/** Releases a task after an unexpected error, for another attempt after a pause. */
export const failLease: StoreOperation<Lease & { pauseMs: number }, null> = {
  name: 'leases.fail',
  access: 'priority',
  *run({ accountId, taskId, fence, pauseMs }) {
    yield* selectAll(
      `UPDATE tasks SET wake_at = errand_now() + ?, lease_owner = NULL, crashes = crashes + ?
       WHERE account_id = ? AND id = ? AND fence = ? AND lease_owner IS NOT NULL RETURNING id`,
      pauseMs,
      countCrashes(0, 'failed'),
      accountId,
      taskId,
      fence,
    );
    return null;
  },
};

const instanceRow = tableCodec('instance', { value: text });

/** `bootId` names the time since the machine was started; null if it is unknown. */
export interface ExpireArgs {
  bootId: string | null;
}

/**
 * Ends every lease as if its worker had died, or, if the machine has restarted since, as if it had been told to stop. Only for a store that
 * no other process can have open: after a crash the next start resumes at once instead of waiting for leases to expire.
 */
export const expireAllLeases: StoreOperation<ExpireArgs, null> = {
  name: 'leases.expireAll',
  access: 'exclusive',
  *run({ bootId }) {
    const last = yield* selectFirst("SELECT value FROM instance WHERE name = 'boot_id'");
    const isNewBoot = last !== undefined && bootId !== null && instanceRow.value(last) !== bootId;
    if (bootId !== null) {
      yield* selectAll(
        `INSERT INTO instance (name, value) VALUES ('boot_id', ?)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING value`,
        bootId,
      );
    }
    const forgiven = isNewBoot ? `, lease_owner = '${leavingOwner}'` : '';
    yield* selectAll(
      `UPDATE tasks SET wake_at = errand_now() ${forgiven}
       WHERE lease_owner IS NOT NULL AND wake_at IS NOT NULL RETURNING id`,
    );
    return null;
  },
  announce: () => [{ topic: 'due' }],
};
