import { expect, it } from 'vitest';
import type { InstanceWorker } from '../../api/instance-queries.ts';
import { listJobs } from './jobs.tsx';

const job = (name: string, status: 'waiting' | 'succeeded' | 'failed') => ({
  ...{ name, status, last_run_at: null, duration_ms: null, failing_since: null, error: null },
});
const worker = (id: string, jobs: InstanceWorker['jobs']): InstanceWorker => ({
  ...{ id, status: 'active', tasks: 0, concurrency: 1, host: null, started_at: null, disk: null, sandbox: null, jobs },
});

it('lists what fails first, then all by name, and no worker of an older version', () => {
  const workers = [
    worker('a', [job('sweeper', 'succeeded'), job('search-worker', 'failed')]),
    worker('b', null),
    worker('c', [job('retention-worker', 'waiting')]),
  ];
  expect(listJobs(workers).map(({ name, worker: { id } }) => `${id} ${name}`)).toEqual([
    'a search-worker',
    'c retention-worker',
    'a sweeper',
  ]);
});
