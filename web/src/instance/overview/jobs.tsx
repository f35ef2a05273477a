import { useQuery } from '@tanstack/react-query';
import { type InstanceWorker, workersQuery } from '../../api/instance-queries.ts';
import { useFormat } from '../../text/format.ts';
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

/** What every worker's jobs last did: those that fail first, then by name. */
export function listJobs(workers: readonly InstanceWorker[]): JobRow[] {
  const rows = workers.flatMap((worker) => (worker.jobs ?? []).map((job): JobRow => ({ ...job, worker })));
  const rank = ({ status }: Job) => (status === 'failed' ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** The background jobs of all workers, with the outcome of their last run. */
export function Jobs() {
  const { instance } = useText();
  const format = useFormat();
  const list = useQuery(workersQuery);
  const jobs = listJobs(list.data ?? []);
  if (jobs.length === 0) return null;
  const names: Record<string, string> = instance.jobNames;
  const tones = { waiting: 'plain', succeeded: 'good', failed: 'bad' } as const;
  const columns: Column<JobRow>[] = [
    { key: 'job', title: instance.job, render: ({ name }) => names[name] ?? name },
    {
      key: 'outcome',
      title: instance.status,
      render: ({ status, error }) => (
        <>
          <Badge tone={tones[status]}>{instance.jobState[status]}</Badge>
          {error !== null && <p className="text-sm text-muted">{error}</p>}
        </>
      ),
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
      render: ({ duration_ms: ms }) => ms !== null && format.duration(ms),
    },
    { key: 'worker', title: instance.worker, render: ({ worker }) => nameWorker(worker) },
  ];
  return (
    <Section title={instance.jobs} lead={instance.jobsLead}>
      <Table caption={instance.jobs} columns={columns} rows={jobs} keyOf={({ worker, name }) => `${worker.id} ${name}`} />
    </Section>
  );
}
