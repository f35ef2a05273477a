import { createRequest, listTasks, waitUntilIdle } from '../service/service-calls.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measure } from './measure.ts';
import { watchIdle } from '../process/idle-watch.ts';

export const waiting: Measure = {
  name: 'waiting',
  about: 'processor time that tasks waiting for an answer cost (Linux)',
  async take(bed) {
    const { stored } = bed.sizes;
    const databaseUrl = await bed.createDatabase();
    await using service = await bed.useService({ databaseUrl });
    const { url, apiKey } = service;
    const empty = await watchIdle(bed, service, databaseUrl);
    await runLoad({ url, apiKey, warmup: 0, count: stored, requests: [createRequest('ask Which one?', true)] });
    await waitUntilIdle(service, stored);
    const [newest] = await listTasks(service, 1);
    if (newest?.status !== 'waiting') throw new Error(`the tasks do not wait, they are ${newest?.status}`);
    const full = await watchIdle(bed, service, databaseUrl);
    const note = `${full.toFixed(2)} % of a core with ${stored}, ${empty.toFixed(2)} % without`;
    return [{ name: 'CPU of waiting tasks', value: Math.max(0, full - empty), unit: '%', note }];
  },
};
