import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import type { JobState } from '@errand/base/worker.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { drainWorker } from '../../store/instance/worker-drains.ts';
import type { InstanceWorker } from '../../store/tasks/workers/workers.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const jobObject = z.object({
  name: z.string().meta({ description: 'For example `sweeper` or `retention-worker`.' }),
  status: z
    .enum(['waiting', 'running', 'succeeded', 'failed'])
    .meta({ description: '`waiting`: it has not run yet. `failed`: its last run that ended failed, also while it runs again.' }),
  last_run_at: unixTime.nullable().meta({ description: 'Start of its last run that ended.' }),
  duration_ms: z.int().nullable().meta({ description: 'Of its last run that ended.' }),
  running_since: unixTime.nullable().meta({ description: 'Start of the run under way.' }),
  failing_since: unixTime.nullable(),
  error: z.string().nullable().meta({ description: 'What failed. The log has the cause.' }),
});

/** A worker as operations on the instance show it. */
export const workerObject = z
  .object({
    id: z.string().meta({ description: 'New with each start of a worker.' }),
    status: z.enum(['active', 'draining']).meta({ description: '`draining`: it takes no tasks; drained once `tasks` is 0.' }),
    tasks: z.int().meta({ description: 'How many tasks it holds; instance.listTasks lists them.' }),
    concurrency: z.int().nullable().meta({ description: 'How many tasks it may hold.' }),
    host: z.string().nullable().meta({ description: 'Name of the machine it runs on.' }),
    started_at: unixTime.nullable(),
    disk: z
      .object({ free_bytes: z.int(), total_bytes: z.int() })
      .nullable()
      .meta({ description: 'Space of its data folder, as it last told; null if unknown.' }),
    sandbox: z
      .object({ available: z.boolean(), detail: z.string() })
      .nullable()
      .meta({ description: 'Whether agents can run commands on it, and what limits them, or why they cannot; null if unknown.' }),
    jobs: z
      .array(jobObject)
      .nullable()
      .meta({ description: 'What its background jobs last did, as it told up to a minute ago; null if unknown.' }),
  })
  .meta({ id: 'InstanceWorker' });

function findStatus({ ranAtMs, runningSinceMs, failure }: JobState): z.input<typeof jobObject>['status'] {
  if (failure !== null) return 'failed';
  if (runningSinceMs !== null) return 'running';
  return ranAtMs === null ? 'waiting' : 'succeeded';
}

function presentJob(job: JobState): z.input<typeof jobObject> {
  const { name, ranAtMs, tookMs, runningSinceMs, failure, failingSinceMs } = job;
  return {
    name,
    status: findStatus(job),
    last_run_at: ranAtMs === null ? null : toUnixTime(ranAtMs),
    duration_ms: tookMs === null ? null : Math.round(tookMs),
    running_since: runningSinceMs === null ? null : toUnixTime(runningSinceMs),
    failing_since: failingSinceMs === null ? null : toUnixTime(failingSinceMs),
    error: failure,
  };
}

export function presentWorker(worker: InstanceWorker): z.input<typeof workerObject> {
  const { diskFreeBytes: free, diskTotalBytes: total, hasSandbox, sandbox } = worker;
  return {
    id: worker.id,
    status: worker.isDraining ? 'draining' : 'active',
    tasks: worker.tasks,
    concurrency: worker.concurrency,
    host: worker.host,
    started_at: worker.startedAtMs === null ? null : toUnixTime(worker.startedAtMs),
    disk: free === null || total === null ? null : { free_bytes: free, total_bytes: total },
    sandbox: hasSandbox === null ? null : { available: hasSandbox, detail: sandbox ?? '' },
    jobs: worker.jobs?.map(presentJob) ?? null,
  };
}

/** Drains a worker or ends that, and shows it. */
export async function changeDraining(
  workerId: string,
  isDraining: boolean,
  { now, principal, write }: Context,
): Promise<{ worker: z.input<typeof workerObject> }> {
  if (!isId(workerId)) throw new Fault('not_found', 'worker not found');
  const worker = await write(drainWorker, { workerId, isDraining, actor: actorOf(principal), now });
  return { worker: presentWorker(worker) };
}
