import path from 'node:path';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';
import { askReport } from './ask-report.ts';
import { readProcessorMs } from './process-facts.ts';

/** What all threads of a service have counted since it started. */
export interface Costs {
  /** Memory that JavaScript has allocated, also what was collected since. */
  allocatedBytes: number;
  /** With those that begin and end transactions, which several operations share. */
  statements: number;
}

/** What a service spends on each of many pieces of work. */
export interface UnitCosts extends Costs {
  processorUs: number;
}

/** A service that counts what it costs. */
export interface CountingService extends AsyncDisposable {
  service: UsedService;
  /** The costs of one of `count` pieces of work, which `work` does. */
  measure(count: number, work: () => Promise<unknown>): Promise<UnitCosts>;
}

/** Starts a service that counts. Counting costs it about a hundredth of its processor time. */
export async function startCounting(bed: TestBed, env: Record<string, string>): Promise<CountingService> {
  const folder = createFolder('bench');
  const file = path.join(folder, 'costs.json');
  const hook = path.join(import.meta.dirname, 'report-costs.ts');
  const service = await bed.startService({ env: { NODE_OPTIONS: `--import=${hook}`, BENCH_COSTS: file, ...env } });
  const ask = async () => ({ ...(await askReport<Costs>(service.pid, file)), processorMs: readProcessorMs(service.pid) });
  return {
    service,
    async measure(count, work) {
      const before = await ask();
      await work();
      const after = await ask();
      return {
        allocatedBytes: (after.allocatedBytes - before.allocatedBytes) / count,
        statements: (after.statements - before.statements) / count,
        processorUs: ((after.processorMs - before.processorMs) / count) * 1000,
      };
    },
    async [Symbol.asyncDispose]() {
      await service.end();
      removeFolder(folder);
    },
  };
}
