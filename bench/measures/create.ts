import { createRequest, waitUntilIdle } from '../service/service-calls.ts';
import type { Measure } from './measure.ts';
import { takeRate } from './rate.ts';

export const create: Measure = {
  name: 'create',
  about: 'tasks accepted durably while a worker in the same process carries them out',
  async take(bed) {
    const { warmup, creates } = bed.sizes;
    await using service = await bed.useService();
    const settle = () => waitUntilIdle(service, warmup + creates);
    const requests = [createRequest('say done')];
    return [await takeRate(bed, service, { name: 'task.create', requests, count: creates, work: 'create', settle })];
  },
};
