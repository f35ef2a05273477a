import { columns, formatTime, reportRows } from '../../output/print.ts';
import { defineRequest } from '../request-command.ts';

const workerArgument = { WORKER_ID: 'Worker ID, as shown by worker list.' };

function listFailing(jobs: unknown): string {
  const known = (jobs ?? []) as readonly { name: string; status: string }[];
  const failing = known.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return failing.length === 0 ? '–' : failing.join(', ');
}

const list = defineRequest('worker list', 'instance.listWorkers', {
  summary: 'List the workers of the instance, with the number of tasks they hold.',
  examples: [['worker list', 'a worker with status draining and no tasks can be stopped']],
  isForInstance: true,
  input: () => ({ limit: 100 }),
  report: reportRows('no workers run', {
    ...columns.id,
    ...columns.status,
    TASKS: ({ tasks, concurrency }) => (concurrency === null ? String(tasks) : `${tasks} of ${concurrency}`),
    'STARTED (UTC)': ({ started_at }) => (started_at === null ? '–' : formatTime(started_at)),
    'FAILING JOBS': ({ jobs }) => listFailing(jobs),
    HOST: ({ host }) => host ?? '–',
  }),
});

const drain = defineRequest('worker drain', 'instance.drainWorker', {
  summary: 'Let a worker take no more tasks and hand over those it holds.',
  details: `Each task is handed over when its current step ends; worker list shows how many are left. The worker stays idle until
worker undrain or its restart.`,
  args: workerArgument,
  examples: [['worker drain 0Ab…', 'before its machine is taken down']],
  isForInstance: true,
  report: ({ worker }) => ({ text: `draining ${worker.id}`, notes: [`it holds ${worker.tasks} tasks`] }),
});

const undrain = defineRequest('worker undrain', 'instance.undrainWorker', {
  summary: 'Let a drained worker take tasks again.',
  args: workerArgument,
  examples: [['worker undrain 0Ab…', 'when its machine stays after all']],
  isForInstance: true,
  report: ({ worker }) => ({ text: `active ${worker.id}` }),
});

/** `errand worker …` */
export const workerCommands = [list, drain, undrain];
