import { z } from 'zod';
import { listWorkers } from '../../store/tasks/instance-tasks.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';

const instanceWorker = z
  .object({
    id: z.string().meta({ description: 'New with each start of a worker.' }),
    tasks: z.int().meta({ description: 'How many tasks it holds; instance.listTasks lists them.' }),
  })
  .meta({ id: 'InstanceWorker' });

export const instanceListWorkers = defineOperation('GET', 'instance.listWorkers', {
  summary: 'Lists the workers that hold tasks, of all processes of the instance.',
  details: 'A worker that has nothing to do is not listed.',
  access: 'instance',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(instanceWorker), ...pageEnd }),
  async handle({ limit, cursor: from }, { read }) {
    const workers = await read(listWorkers, null);
    const { items, end } = await readListPage(
      { query: ['instance.listWorkers'], cursor: from, limit },
      async (position, count) => workers.filter(({ id }) => id > (position ?? '')).slice(0, count),
      ({ id }) => id,
    );
    return { data: items, ...end };
  },
});
