import type { Attack } from '../../test/support/neighbours/attack.ts';
import {
  archives,
  busyLoops,
  documents,
  fullDisks,
  manyFiles,
  manySockets,
  memoryBombs,
  occupiedSlots,
  workerSlots,
} from '../../test/support/neighbours/command-attacks.ts';
import { downloads, filters, forgeries, signIns } from '../../test/support/neighbours/entry-attacks.ts';
import { heldFetches, searches } from '../../test/support/neighbours/slot-attacks.ts';
import { lists, readers, transfers } from '../../test/support/neighbours/request-attacks.ts';
import { Stage, stageSettings } from '../../test/support/neighbours/stage.ts';
import { type Visit, visit } from '../../test/support/neighbours/visit.ts';
import { quantile } from '../report/statistics.ts';
import type { Measure, Taken } from './measure.ts';

const attacks: readonly Attack[] = [
  busyLoops,
  memoryBombs,
  fullDisks,
  manyFiles,
  manySockets,
  searches,
  heldFetches,
  occupiedSlots,
  readers,
  lists,
  transfers,
  downloads,
  filters,
  signIns,
  forgeries,
  archives,
  documents,
];
/** What is small enough for an attack to reach its limits without taking the whole disk. */
const limits = {
  ERRAND_WORKER_CONCURRENCY: String(workerSlots),
  ERRAND_TASK_STORAGE_MB: '512',
  ERRAND_ACCOUNT_STORAGE_MB: '2048',
  ERRAND_TASK_FILES: '50000',
};

interface Visits {
  done: Visit[];
  failures: string[];
}

async function takeVisits({ measured }: Stage, count: number): Promise<Visits> {
  const visits: Visits = { done: [], failures: [] };
  for (let at = 0; at < count; at += 1) {
    await visit(measured).then(
      (one) => visits.done.push(one),
      (error: unknown) => visits.failures.push(String(error)),
    );
  }
  return visits;
}

async function takeBeside(attack: Attack, stage: Stage, count: number): Promise<Visits> {
  const underWay = await attack.begin(stage);
  const visits = await takeVisits(stage, count);
  stage.outside.release();
  await underWay.end();
  return visits;
}

/** One figure for each operation: the time within which 99 of 100 are done, with the median as a note. */
function describeVisits(beside: string, { done, failures }: Visits): Taken[] {
  const operations = ['create', 'read', 'command'] as const;
  const times = operations.map((operation): Taken => {
    const taken = done.map((one) => one[operation]);
    const note = `p50 ${quantile(taken, 0.5).toFixed(1)} ms`;
    return { name: `${operation}, ${beside}, p99`, value: quantile(taken, 0.99), unit: 'ms', note };
  });
  const note = failures[0]?.slice(0, 200) ?? `${done.length} visits`;
  return [
    ...times,
    { name: `failures, ${beside}`, value: (100 * failures.length) / (done.length + failures.length), unit: '%', note },
  ];
}

export const tenants: Measure = {
  name: 'tenants',
  about: 'small operations of an account alone, and beside each attack of another account',
  async take(bed) {
    const { strength, visits } = bed.sizes;
    const databaseUrl = await bed.createDatabase();
    await using service = await bed.startService({ env: { ...stageSettings, ...limits }, databaseUrl });
    await using stage = await Stage.open(service, { databaseUrl, strength, messages: bed.sizes.searched });
    // The first of each kind starts threads and loads code.
    await takeVisits(stage, Math.ceil(visits / 10));
    const figures = describeVisits('alone', await takeVisits(stage, visits));
    for (const attack of attacks) {
      figures.push(...describeVisits(`beside ${attack.name}`, await takeBeside(attack, stage, visits)));
    }
    return figures;
  },
};
