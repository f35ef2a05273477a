import { z } from 'zod';
import { listWorkers } from '../../store/tasks/workers/workers.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentWorker, workerObject } from './worker-object.ts';

export const instanceListWorkers = defineOperation('GET', 'instance.listWorkers', {
  summary: 'Lists the workers that run, of all processes of the instance.',
  details:
    'A worker that was killed is listed for up to a minute. During an upgrade, workers of earlier versions are listed only while they hold tasks; their `host`, `concurrency`, and `started_at` are null, and they cannot be drained.',
  access: 'instance',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(workerObject), ...pageEnd }),
  async handle({ limit, cursor: from }, { read }) {
    const workers = await read(listWorkers, null);
    const { items, end } = await readListPage(
      { query: ['instance.listWorkers'], cursor: from, limit },
      async (position, count) => workers.filter(({ id }) => id > (position ?? '')).slice(0, count),
      ({ id }) => id,
    );
    return { data: items.map(presentWorker), ...end };
  },
});
