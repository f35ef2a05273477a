import { createRequest, waitUntilAtRest } from '../service/service-calls.ts';
import type { Measure } from './measure.ts';
import { takeRate } from './rate.ts';

export const create: Measure = {
  name: 'create',
  about: 'tasks accepted durably while a worker in the same process carries them out',
  async take(room) {
    const { warmup, creates } = room.sizes;
    await using service = await room.startService();
    const settle = () => waitUntilAtRest(service, warmup + creates);
    const requests = [createRequest('say done')];
    return [await takeRate(room, service, { name: 'task.create', requests, count: creates, work: 'create', settle })];
  },
};
