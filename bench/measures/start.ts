import { createRequest, waitUntilIdle } from '../service/service-calls.ts';
import { runLoad, withHttpCeiling } from '../load/run-load.ts';
import type { Measure } from './measure.ts';
import type { TestBed } from '../service/test-bed.ts';
import { takeInTurn } from './rounds.ts';

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function startOnEmptyStore(bed: TestBed): Promise<number> {
  const databaseUrl = await bed.createDatabase();
  const startedMs = performance.now();
  await using service = await bed.startService({ databaseUrl, isDirect: true });
  return service.url ? performance.now() - startedMs : Number.NaN;
}

export const start: Measure = {
  name: 'start',
  about: 'from starting the process to its line that it is ready, on an empty store and after kill -9',
  async take(bed) {
    const { starts, finishes } = bed.sizes;
    await using service = await bed.startService({ isDirect: true });
    const { url, apiKey } = service;
    await runLoad({ url, apiKey, warmup: 0, count: finishes, requests: [createRequest('say done')] });
    await waitUntilIdle(service, finishes);
    const { http, empty, existing } = await takeInTurn(starts, {
      http: () => timeMs(() => withHttpCeiling(() => Promise.resolve())),
      empty: () => startOnEmptyStore(bed),
      existing: async () => {
        await service.kill();
        return timeMs(() => service.restart());
      },
    });
    return [
      { name: 'start on an empty store', value: empty, unit: 'ms', http },
      { name: 'start on an existing store', value: existing, unit: 'ms', http, note: `${finishes} tasks, after kill -9` },
    ];
  },
};
