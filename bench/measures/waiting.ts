import { createRequest, listTasks, waitUntilIdle } from '../service/service-calls.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measure } from './measure.ts';
import { pause } from '../process/pause.ts';
import { readProcessorMs } from '../process/process-facts.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';

const settleMs = 3000;

/** Processor time while nothing happens, in percent of one core; with that of its database connections, where they are local. */
async function watchIdle(bed: TestBed, service: UsedService, databaseUrl: string | undefined): Promise<number> {
  const { idleMs } = bed.sizes;
  await pause(Math.min(settleMs, idleMs));
  const pids = [service.pid, ...(await bed.listBackends(databaseUrl))];
  const spentMs = () => pids.reduce((sum, pid) => sum + readProcessorMs(pid), 0);
  const before = spentMs();
  await pause(idleMs);
  return ((spentMs() - before) / idleMs) * 100;
}

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
