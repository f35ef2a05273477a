import { taskRow } from '../../db/shared-rows.ts';
import { placeholders, selectAll, type StoreOperation } from '../../db/store-operation.ts';

/**
 * Prefix of the ids of workers that hold a session of the database server as long as they live. Only leases tell when others have ended.
 */
export const sessionPrefix = 'session-';

/** The workers with a session that have leases, on tasks or on runs of schedules. */
export const listLeaseOwners: StoreOperation<null, string[]> = {
  name: 'leases.listOwners',
  access: 'read',
  *run() {
    const rows = yield* selectAll(
      `SELECT lease_owner FROM tasks WHERE account_id > '' AND wake_at > errand_now() AND lease_owner IS NOT NULL
       UNION SELECT lease_owner FROM schedule_runs WHERE ready_at > errand_now() AND lease_owner IS NOT NULL`,
    );
    return rows.map((row) => taskRow.lease_owner(row) ?? '').filter((owner) => owner.startsWith(sessionPrefix));
  },
};

/**
 * Ends the leases of workers that have died; returns how many. If a worker is only cut off, the fence of the next claim rejects its writes
 * to tasks, and the lock that records the start of a run rejects its starts.
 */
export const expireLeasesOf: StoreOperation<readonly string[], number> = {
  name: 'leases.expireOf',
  access: 'exclusive',
  *run(workerIds) {
    if (workerIds.length === 0) return 0;
    const isTheirs = `lease_owner IN (VALUES ${placeholders(workerIds.length, 1)})`;
    const owned = `account_id > '' AND wake_at > errand_now() AND ${isTheirs}`;
    // In task order, as group commits lock them.
    yield* selectAll(`SELECT id FROM tasks WHERE ${owned} ORDER BY id FOR UPDATE`, ...workerIds);
    const rows = yield* selectAll(`UPDATE tasks SET wake_at = errand_now() WHERE ${owned} RETURNING id`, ...workerIds);
    const held = `ready_at > errand_now() AND ${isTheirs}`;
    yield* selectAll(`SELECT id FROM schedule_runs WHERE ${held} ORDER BY schedule_id FOR UPDATE`, ...workerIds);
    const runs = yield* selectAll(`UPDATE schedule_runs SET ready_at = errand_now() WHERE ${held} RETURNING id`, ...workerIds);
    return rows.length + runs.length;
  },
  announce: () => [{ topic: 'due' }, { topic: 'schedules' }],
};
