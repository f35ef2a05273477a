import { expect, it } from 'vitest';
import type { InstanceWorker } from '../../api/instance-queries.ts';
import { en } from '../../text/en.ts';
import { createFormat } from '../../text/format.ts';
import { listFindings } from './health-findings.ts';
import { listJobs, writeDuration } from './jobs.tsx';

type Job = NonNullable<InstanceWorker['jobs']>[number];

const job = (name: string, status: Job['status'], failing_since: number | null = null): Job => ({
  ...{ name, status, last_run_at: null, duration_ms: null, running_since: null, failing_since, error: null },
});
const worker = (id: string, jobs: InstanceWorker['jobs'], host: string | null = null): InstanceWorker => ({
  ...{ id, status: 'active', tasks: 0, concurrency: 1, host, started_at: null, disk: null, sandbox: null, jobs },
});

it('lists what fails first, then all by the name that is shown, and no worker of an older version', () => {
  const workers = [
    worker('a', [job('account-worker', 'succeeded'), job('search-worker', 'failed'), job('future-worker', 'running')]),
    worker('b', null),
    worker('c', [job('decision-worker', 'waiting')]),
  ];
  // "Decide what timed out" comes before "Look after accounts".
  expect(listJobs(workers, en).map(({ name, worker: { id } }) => `${id} ${name}`)).toEqual([
    'a search-worker',
    'c decision-worker',
    'a future-worker',
    'a account-worker',
  ]);
});

it('tells durations of jobs in milliseconds while they are short', () => {
  const format = createFormat('en');
  expect([0, 12, 9999, 80_000].map((ms) => writeDuration(format, ms))).toEqual(['1 ms', '12 ms', '9,999 ms', '1m 20s']);
});

it('reports a job that has been failing for five minutes, with its worker, and none that fails for less', () => {
  const nowMs = 1_000_000_000;
  const since = (ms: number) => (nowMs - ms) / 1000;
  const workers = [
    worker('worker-000001', [job('sweeper', 'failed', since(300_000)), job('search-worker', 'failed', since(299_000))], 'one'),
    worker('worker-000002', [job('sweeper', 'failed', since(400_000)), job('budget-worker', 'succeeded')], 'one'),
    worker('worker-000003', null, 'one'),
  ];
  const health = { task_queue_age_seconds: 0, model_outages: [] } as unknown as Parameters<typeof listFindings>[0];
  expect(listFindings(health, workers, en, createFormat('en'), nowMs)).toEqual([
    en.instance.jobFails('Remove what is no longer needed', 'one · 000001', '5m'),
    en.instance.jobFails('Remove what is no longer needed', 'one · 000002', '6m 40s'),
  ]);
});
