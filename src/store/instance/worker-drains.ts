import { Fault } from '@errand/base/fault.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { selectFirst, type StoreOperation } from '../db/store-operation.ts';
import { findWorker, type InstanceWorker, workerRow } from '../tasks/workers/workers.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';

export interface DrainWorkerArgs {
  workerId: string;
  /** False ends the draining. */
  isDraining: boolean;
  actor: string;
  now: number;
}

/** Drains a worker, or ends that; it is told by a hint, and at the latest when it next says that it runs. 404 for one that does not run. */
export const drainWorker: StoreOperation<DrainWorkerArgs, InstanceWorker> = {
  name: 'workers.drain',
  access: 'exclusive',
  *run({ workerId, isDraining, actor, now }) {
    const row = yield* selectFirst(
      'SELECT is_draining FROM workers WHERE id = ? AND expires_at > errand_now() FOR UPDATE',
      workerId,
    );
    if (!row) throw new Fault('not_found', 'worker not found');
    if (workerRow.is_draining(row) !== isDraining) {
      yield* selectFirst('UPDATE workers SET is_draining = ? WHERE id = ? RETURNING id', isDraining ? 1 : 0, workerId);
      const kind = isDraining ? 'worker_draining' : 'worker_resumed';
      yield [noteSecurityEvent({ accountId: instanceRecord, atMs: now, kind, actor, detail: { worker_id: workerId } })];
    }
    const worker = yield* findWorker.run(workerId);
    if (!worker) throw new Fault('not_found', 'worker not found');
    return worker;
  },
  announce: () => [{ topic: 'workers' }],
};
