import type { InstanceHealth, InstanceWorker } from '../../api/instance-queries.ts';
import type { Format } from '../../text/format.ts';
import type { Texts } from '../../text/en.ts';
import { nameJob } from './jobs.tsx';
import { nameWorker } from './workers.tsx';

/** Longer than a worker needs to take a task when it has room. */
const lateSeconds = 30;
/** With less free disk space, uploads and workspaces soon fail. */
const leastDiskBytes = 1_000_000_000;

/** Less may be a restart of the database. */
const leastFailingMs = 5 * 60_000;

function findFailingJobs(workers: readonly InstanceWorker[], text: Texts, format: Format, nowMs: number): string[] {
  return workers.flatMap((worker) =>
    (worker.jobs ?? []).flatMap(({ name, failing_since: since }) => {
      const failingMs = since === null ? 0 : nowMs - since * 1000;
      if (failingMs < leastFailingMs) return [];
      return [text.instance.jobFails(nameJob(text, name), nameWorker(worker), format.duration(failingMs))];
    }),
  );
}

function findOnWorkers(workers: readonly InstanceWorker[], { instance }: Texts, format: Format): string[] {
  if (workers.length === 0) return [`${instance.noWorkers}. ${instance.noWorkersBody}`];
  const isDrained = workers.every(({ status }) => status === 'draining');
  const machines = workers.flatMap(({ id, host, disk, sandbox }) => {
    const name = host ?? id;
    const isFull = disk !== null && disk.free_bytes < leastDiskBytes;
    return [
      ...(isFull ? [instance.lowDisk(name, format.bytes(disk.free_bytes))] : []),
      ...(sandbox?.available === false ? [instance.noSandboxOn(name, sandbox.detail)] : []),
    ];
  });
  return [...(isDrained ? [instance.allDrained] : []), ...machines];
}

/** What an operator should look at, in sentences; none while all is well. */
export function listFindings(
  health: InstanceHealth,
  workers: readonly InstanceWorker[],
  text: Texts,
  format: Format,
  nowMs: number,
): string[] {
  const { task_queue_age_seconds: waited, model_outages: outages } = health;
  return [
    ...outages.map(({ model, tasks, since }) =>
      text.instance.outage(model, tasks, format.number(tasks), format.duration(nowMs - since * 1000)),
    ),
    ...(waited > lateSeconds ? [text.instance.late(format.duration(waited * 1000))] : []),
    ...findOnWorkers(workers, text, format),
    ...findFailingJobs(workers, text, format, nowMs),
  ];
}
