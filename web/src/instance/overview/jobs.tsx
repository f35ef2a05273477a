import { useQuery } from '@tanstack/react-query';
import { type InstanceWorker, workersQuery } from '../../api/instance-queries.ts';
import { type Format, useFormat } from '../../text/format.ts';
import type { Texts } from '../../text/en.ts';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Section } from '../../ui/display/card.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { nameWorker } from './workers.tsx';

type Job = NonNullable<InstanceWorker['jobs']>[number];

interface JobRow extends Job {
  worker: InstanceWorker;
}

/** The name of a job for people; its own if a newer worker has one that this page does not know. */
export function nameJob({ instance }: Texts, name: string): string {
  const names: Record<string, string> = instance.jobNames;
  return names[name] ?? name;
}

/** What every worker's jobs last did: those that fail first, then by the name that people see. */
export function listJobs(workers: readonly InstanceWorker[], text: Texts): JobRow[] {
  const rows = workers.flatMap((worker) => (worker.jobs ?? []).map((job): JobRow => ({ ...job, worker })));
  const rank = ({ status }: Job) => (status === 'failed' ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || nameJob(text, a.name).localeCompare(nameJob(text, b.name)));
}

/** Most jobs take milliseconds. */
export function writeDuration(format: Format, ms: number): string {
  return ms < 10_000 ? format.milliseconds(Math.max(1, ms)) : format.duration(ms);
}

/** The background jobs of all workers, with the outcome of their last run. */
export function Jobs() {
  const text = useText();
  const { instance } = text;
  const format = useFormat();
  const list = useQuery(workersQuery);
  const jobs = listJobs(list.data ?? [], text);
  if (jobs.length === 0) return null;
  const tones = { waiting: 'plain', running: 'plain', succeeded: 'good', failed: 'bad' } as const;
  const columns: Column<JobRow>[] = [
    { key: 'job', title: instance.job, render: ({ name }) => nameJob(text, name) },
    {
      key: 'outcome',
      title: instance.status,
      render: ({ status }) => <Badge tone={tones[status]}>{instance.jobState[status]}</Badge>,
    },
    {
      key: 'ran',
      title: instance.lastRun,
      kind: 'short',
      render: ({ last_run_at: at }) => at !== null && <Time ms={at * 1000} />,
    },
    {
      key: 'took',
      title: instance.took,
      kind: 'number',
      render: ({ duration_ms: ms }) => ms !== null && writeDuration(format, ms),
    },
    { key: 'worker', title: instance.worker, render: ({ worker }) => nameWorker(worker) },
  ];
  return (
    <Section title={instance.jobs} lead={instance.jobsLead}>
      <Table caption={instance.jobs} columns={columns} rows={jobs} keyOf={({ worker, name }) => `${worker.id} ${name}`} />
    </Section>
  );
}
