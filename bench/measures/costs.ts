import { startCounting, type UnitCosts } from '../process/service-costs.ts';
import { median } from '../report/statistics.ts';
import type { TestBed } from '../service/test-bed.ts';
import { finishTasks, takeOfEachKind } from './end-to-end.ts';
import type { Measure, Taken } from './measure.ts';

/** What one task costs the service from its creation to its end. Unlike rates, this hardly depends on what else a machine does. */
async function takeWith(bed: TestBed, kind: string, env: Record<string, string>): Promise<Taken[]> {
  const { rounds, warmup, finishes } = bed.sizes;
  await using counting = await startCounting(bed, env);
  const { service } = counting;
  // Twice as many as elsewhere: compiling allocates too.
  await finishTasks(service, warmup * 2);
  const taken: UnitCosts[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push(await counting.measure(finishes, () => finishTasks(service, finishes)));
  }
  const valueOf = (key: keyof UnitCosts) => median(taken.map((costs) => costs[key]));
  return [
    { name: `allocated by a task, ${kind}`, value: valueOf('allocatedBytes') / 1000, unit: 'KB' },
    { name: `statements of a task, ${kind}`, value: valueOf('statements'), unit: '' },
    { name: `CPU of a task, ${kind}`, value: valueOf('processorUs'), unit: 'µs' },
  ];
}

export const costs: Measure = {
  name: 'costs',
  about: 'what a task costs from its creation to its end: memory allocated, statements, and processor time of the service',
  async take(bed) {
    return (await takeOfEachKind((kind, settings) => takeWith(bed, kind, settings))).flat();
  },
};
