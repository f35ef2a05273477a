import type { Work } from '../ceilings/ceiling-work.ts';
import type { LoadRequest, LoadResult } from '../load/load-job.ts';
import { runHttpCeiling, runLoad } from '../load/run-load.ts';
import type { Taken } from './measure.ts';
import { readProcessorMs } from '../process/process-facts.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';
import { takeInTurn } from './rounds.ts';
import { median } from '../report/statistics.ts';

export interface RateOptions {
  name: string;
  requests: LoadRequest[];
  /** Requests of one round. */
  count: number;
  /** What the bare database does in comparison. */
  work: Work;
  /** What has to come to its end before the next round. */
  settle?: () => Promise<unknown>;
}

/** How many requests a second a service answers, and in turn with it a bare node:http server and the bare database. */
export async function takeRate(bed: TestBed, service: UsedService, options: RateOptions): Promise<Taken> {
  const { name, requests, count, work, settle } = options;
  const { rounds, warmup } = bed.sizes;
  const job = { apiKey: service.apiKey, warmup, count, requests };
  const loads: LoadResult[] = [];
  const spentMs: number[] = [];
  const { value, http, bare } = await takeInTurn(rounds, {
    http: () => runHttpCeiling(job),
    bare: () => bed.runDatabaseCeiling(work, count),
    value: async () => {
      const before = readProcessorMs(service.pid);
      const load = await runLoad({ ...job, url: service.url });
      await settle?.();
      spentMs.push(readProcessorMs(service.pid) - before);
      loads.push(load);
      return load.perSecond;
    },
  });
  const p99 = median(loads.map(({ p99Ms }) => p99Ms));
  const processorUs = (median(spentMs) / (warmup + count)) * 1000;
  return { name, value, unit: '/s', http, bare, note: `p99 ${p99.toFixed(1)} ms; ${processorUs.toFixed(0)} µs of CPU each` };
}
