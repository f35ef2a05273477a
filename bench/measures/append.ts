import { createRequest, listTasks, messageRequest } from '../service/service-calls.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measure } from './measure.ts';
import { takeRate } from './rate.ts';

export const append: Measure = {
  name: 'append',
  about: 'messages to running tasks, each answered when it is durable',
  async take(bed) {
    const { appends, tasks } = bed.sizes;
    // Without a worker the tasks stay as they are, so that the appends alone are measured.
    await using service = await bed.useService({ role: 'api' });
    const { url, apiKey } = service;
    await runLoad({ url, apiKey, warmup: 0, count: tasks, requests: [createRequest('say done')] });
    const requests = (await listTasks(service, tasks)).map(({ id }) => messageRequest(id, 'and one more thing'));
    return [await takeRate(bed, service, { name: 'task.sendMessage', requests, count: appends, work: 'append' })];
  },
};
