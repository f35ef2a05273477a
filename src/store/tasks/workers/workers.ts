import type { JobState } from '@errand/base/worker.ts';
import { flag, integer, json, nullable, tableCodec, text } from '../../db/row-codec.ts';
import { countRow, taskRow } from '../../db/shared-rows.ts';
import { compareText, type Script, selectAll, selectOne, type StoreOperation } from '../../db/store-operation.ts';
import { sessionPrefix } from './ended-workers.ts';
import { leavingOwner } from '../task-leases.ts';

/** `workers` */
export const workerRow = tableCodec('workers', {
  id: text,
  host: text,
  concurrency: integer,
  is_draining: flag,
  started_at: integer,
  expires_at: integer,
  disk_free: nullable(integer),
  disk_total: nullable(integer),
  has_sandbox: nullable(flag),
  sandbox: nullable(text),
  jobs: nullable(json<readonly JobState[]>()),
});
const { read, columns } = workerRow.pick(
  'id, host, concurrency, is_draining, started_at, disk_free as diskFreeBytes, disk_total as diskTotalBytes, has_sandbox, sandbox, jobs',
);

/** How long rows of killed workers are kept, in case one was only cut off. */
const keptMs = 24 * 60 * 60 * 1000;

/** Facts that a worker reports about its machine; null if they could not be found out. */
export interface WorkerMachine {
  /** Free space of its data folder. */
  diskFreeBytes: number | null;
  diskTotalBytes: number | null;
  /** Whether agents can run commands on it. */
  hasSandbox: boolean | null;
  /** What limits the sandbox, or why there is none. */
  sandbox: string | null;
}

/** A worker process. Facts are null for workers of a version that did not report them. */
export interface InstanceWorker extends WorkerMachine {
  jobs: readonly JobState[] | null;
  id: string;
  tasks: number;
  isDraining: boolean;
  host: string | null;
  concurrency: number | null;
  startedAtMs: number | null;
}

/** The id of a worker as others see it, without the part that says how its end is announced. Null for no worker. */
export function presentOwner(owner: string | null): string | null {
  if (owner === null || owner === leavingOwner) return null;
  return owner.startsWith(sessionPrefix) ? owner.slice(sessionPrefix.length) : owner;
}

export interface KeepWorkerArgs extends WorkerMachine {
  workerId: string;
  host: string;
  concurrency: number;
  /** How long the worker counts as running without another call. */
  ttlMs: number;
  jobs: readonly JobState[];
}

/** Records that a worker runs; returns whether it must drain. */
export const keepWorker: StoreOperation<KeepWorkerArgs, boolean> = {
  name: 'workers.keep',
  access: 'exclusive',
  *run({ workerId, host, concurrency, ttlMs, diskFreeBytes, diskTotalBytes, hasSandbox, sandbox, jobs }) {
    yield* selectAll('DELETE FROM workers WHERE expires_at < errand_now() - ? RETURNING id', keptMs);
    const row = yield* selectOne(
      `INSERT INTO workers (id, host, concurrency, is_draining, started_at, expires_at, disk_free, disk_total, has_sandbox, sandbox, jobs)
       VALUES (?, ?, ?, 0, errand_now(), errand_now() + ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, disk_free = excluded.disk_free,
         disk_total = excluded.disk_total, jobs = excluded.jobs RETURNING is_draining`,
      workerId,
      host,
      concurrency,
      ttlMs,
      diskFreeBytes,
      diskTotalBytes,
      hasSandbox === null ? null : Number(hasSandbox),
      sandbox,
      JSON.stringify(jobs),
    );
    return workerRow.is_draining(row);
  },
};

/** Removes a worker that has ended. */
export const removeWorker: StoreOperation<string, null> = {
  name: 'workers.remove',
  access: 'exclusive',
  *run(workerId) {
    yield* selectAll('DELETE FROM workers WHERE id = ? RETURNING id', workerId);
    return null;
  },
};

/** Removes the workers of earlier processes. Only for a store that no other process can have open. */
export const removeAllWorkers: StoreOperation<null, null> = {
  name: 'workers.removeAll',
  access: 'exclusive',
  *run() {
    yield* selectAll('DELETE FROM workers RETURNING id');
    return null;
  },
};

/** The number of tasks that each worker holds. Only due or leased tasks are read from the index. */
function* countHeld(): Script<Map<string, number>> {
  const rows = yield* selectAll(
    `SELECT lease_owner, COUNT(*) AS count FROM tasks
     WHERE account_id > '' AND wake_at > errand_now() AND lease_owner IS NOT NULL GROUP BY lease_owner`,
  );
  return new Map(
    rows.flatMap((row) => {
      const id = presentOwner(taskRow.lease_owner(row));
      return id === null ? [] : [[id, countRow.count(row)] as const];
    }),
  );
}

/** The running workers by id, including those that hold tasks but are of a version that does not register. */
export const listWorkers: StoreOperation<null, InstanceWorker[]> = {
  name: 'workers.list',
  access: 'read',
  *run() {
    const held = yield* countHeld();
    const rows = yield* selectAll(`SELECT ${columns} FROM workers WHERE expires_at > errand_now()`);
    const known = rows.map(read).map((worker): InstanceWorker => ({ ...worker, tasks: held.get(worker.id) ?? 0 }));
    for (const { id } of known) held.delete(id);
    const unknown = { diskFreeBytes: null, diskTotalBytes: null, hasSandbox: null, sandbox: null, jobs: null };
    const untold = { isDraining: false, host: null, concurrency: null, startedAtMs: null, ...unknown };
    const others = [...held].map(([id, tasks]): InstanceWorker => ({ id, tasks, ...untold }));
    return [...known, ...others].toSorted((a, b) => compareText(a.id, b.id));
  },
};

/** Finds a registered worker; null for any other. */
export const findWorker: StoreOperation<string, InstanceWorker | null> = {
  name: 'workers.find',
  access: 'read',
  *run(workerId) {
    const [row] = yield* selectAll(`SELECT ${columns} FROM workers WHERE id = ? AND expires_at > errand_now()`, workerId);
    return row ? { ...read(row), tasks: (yield* countHeld()).get(workerId) ?? 0 } : null;
  },
};
