import { pause } from './pause.ts';
import { readProcessorMs } from './process-facts.ts';
import { median } from '../report/statistics.ts';
import type { TestBed, UsedService } from '../service/test-bed.ts';

/** What a service prepares after its start, and collects after a load, is done by then. */
const settleMs = 15_000;

/** Processor time while nothing happens, in percent of one core; with that of its database connections, where they are local. */
export async function watchIdle(
  bed: TestBed,
  service: Pick<UsedService, 'pid'>,
  databaseUrl: string | undefined,
): Promise<number> {
  await settle(bed);
  const [share = Number.NaN] = await watchTogether(bed, [{ service, databaseUrl }]);
  return share;
}

const settle = ({ sizes: { idleMs } }: TestBed) => pause(Math.min(settleMs, idleMs));

/** A service, and its database unless that is embedded. */
export interface Watched {
  service: Pick<UsedService, 'pid'>;
  databaseUrl: string | undefined;
}

async function watchTogether(bed: TestBed, watched: readonly Watched[]): Promise<number[]> {
  const { idleMs } = bed.sizes;
  const pids = await Promise.all(
    watched.map(async ({ service, databaseUrl }) => [service.pid, ...(await bed.listBackends(databaseUrl))]),
  );
  const spentMs = () => pids.map((of) => of.reduce((sum, pid) => sum + readProcessorMs(pid), 0));
  const before = spentMs();
  await pause(idleMs);
  return spentMs().map((spent, index) => ((spent - (before[index] ?? 0)) / idleMs) * 100);
}

/** Processor time in percent of one core, each the median of all rounds. */
export interface IdleComparison {
  plain: number;
  loaded: number;
  /** That of the second minus that of the first. */
  difference: number;
}

/**
 * What one of two idle services spends more than the other. Both are watched in the same seconds, again and again: what else the machine
 * does slows both, and what either collects now and then falls into few of the rounds.
 */
export async function compareIdle(bed: TestBed, plain: Watched, loaded: Watched): Promise<IdleComparison> {
  await settle(bed);
  const rounds: [number, number][] = [];
  for (let round = 0; round < bed.sizes.idleRounds; round += 1) {
    const [one = Number.NaN, other = Number.NaN] = await watchTogether(bed, [plain, loaded]);
    rounds.push([one, other]);
  }
  const middle = (read: (round: [number, number]) => number) => median(rounds.map(read));
  return {
    plain: middle(([one]) => one),
    loaded: middle(([, other]) => other),
    difference: middle(([one, other]) => other - one),
  };
}
