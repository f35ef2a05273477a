import { pause } from './pause.ts';
import { readProcessorMs } from './process-facts.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';

/** What a service prepares after its start, and collects after a load, is done by then. */
const settleMs = 15_000;

/** Processor time while nothing happens, in percent of one core; with that of its database connections, where they are local. */
export async function watchIdle(
  bed: TestBed,
  service: Pick<UsedService, 'pid'>,
  databaseUrl: string | undefined,
): Promise<number> {
  const { idleMs } = bed.sizes;
  await pause(Math.min(settleMs, idleMs));
  const pids = [service.pid, ...(await bed.listBackends(databaseUrl))];
  const spentMs = () => pids.reduce((sum, pid) => sum + readProcessorMs(pid), 0);
  const before = spentMs();
  await pause(idleMs);
  return ((spentMs() - before) / idleMs) * 100;
}
