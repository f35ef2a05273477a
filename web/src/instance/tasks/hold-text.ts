import type { InstanceTask } from '../../api/instance-queries.ts';
import { nameWorker } from '../overview/workers.tsx';
import type { Texts } from '../../text/en.ts';
import type { Format } from '../../text/format.ts';

/** What explaining needs besides the task. */
export interface HoldContext {
  text: Texts;
  format: Format;
  nowMs: number;
  /** The machine of a worker, null if unknown. */
  hostOf(workerId: string): string | null;
}

/** Why a task is where it is, in sentences. */
export function explainTask(task: InstanceTask, { text: { instance }, format, nowMs, hostOf }: HoldContext): string[] {
  const { hold, worker_id: workerId, lease_until: leaseUntil, crashes } = task;
  if (hold === null) return [instance.ended];
  const since = format.duration(Math.max(0, nowMs - (hold.since ?? task.updated_at) * 1000));
  const left = (at: number | null) => (at === null || at * 1000 <= nowMs ? null : format.duration(at * 1000 - nowMs));
  const [retry, lease] = [left(hold.until), left(leaseUntil)];
  return [
    instance.holds[hold.reason](since, hold.name ?? instance.itsModel),
    ...(retry === null ? [] : [instance.nextTry(retry)]),
    ...(workerId === null || lease === null ? [] : [instance.lease(nameWorker({ id: workerId, host: hostOf(workerId) }), lease)]),
    ...(crashes > 0 ? [instance.crashes(crashes, format.number(crashes))] : []),
  ];
}
