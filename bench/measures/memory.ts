import { createRequest, waitUntilIdle } from '../service/service-calls.ts';
import { runLoad, withHttpCeiling } from '../load/run-load.ts';
import type { Measure } from './measure.ts';
import { pause } from '../process/pause.ts';
import { readMemory, readPeakMemory } from '../process/process-facts.ts';

const settleMs = 2000;

export const memory: Measure = {
  name: 'memory',
  about: 'resident memory of the service before and after a load of tasks (Linux)',
  async take(bed) {
    const { stored } = bed.sizes;
    await using service = await bed.useService();
    const { url, apiKey, pid } = service;
    const job = { apiKey, warmup: 0, count: stored, requests: [createRequest('say done')] };
    const http = await withHttpCeiling(async (httpUrl, httpPid) => {
      await runLoad({ ...job, url: httpUrl });
      return readMemory(httpPid);
    });
    await pause(Math.min(settleMs, bed.sizes.idleMs));
    const idle = readMemory(pid);
    await runLoad({ ...job, url });
    await waitUntilIdle(service, stored);
    await pause(Math.min(settleMs, bed.sizes.idleMs));
    const note = `${stored} tasks; ${readPeakMemory(pid).toFixed(0)} MB at most`;
    return [
      { name: 'memory, idle', value: idle, unit: 'MB', http },
      { name: 'memory, after load', value: readMemory(pid), unit: 'MB', http, note },
    ];
  },
};
