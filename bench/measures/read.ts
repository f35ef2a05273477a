import { createRequest, listTasks, waitUntilIdle } from '../service/service-calls.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measure } from './measure.ts';
import { takeRate } from './rate.ts';

export const read: Measure = {
  name: 'read',
  about: 'reads of finished tasks and of their messages',
  async take(bed) {
    const { tasks, reads } = bed.sizes;
    await using service = await bed.useService();
    const { url, apiKey } = service;
    await runLoad({ url, apiKey, warmup: 0, count: tasks, requests: [createRequest('say done')] });
    await waitUntilIdle(service, tasks);
    const taskIds = (await listTasks(service, tasks)).map(({ id }) => id);
    const takeReads = (name: string, work: 'detail' | 'messages') => {
      const requests = taskIds.map((taskId) => ({ method: 'GET' as const, path: `/v2/${name}?task_id=${taskId}` }));
      return takeRate(bed, service, { name, requests, count: reads, work });
    };
    return [await takeReads('task.detail', 'detail'), await takeReads('task.listMessages', 'messages')];
  },
};
