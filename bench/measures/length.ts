import { TimedModel } from '../load/timed-model.ts';
import { pause } from '../process/pause.ts';
import { mean, median } from '../report/statistics.ts';
import { call, createTask, messageRequest } from '../service/service-calls.ts';
import type { ServiceProcess } from '../../test/support/service/supervisor.ts';
import type { TestBed } from '../service/test-bed.ts';
import { modelSettings } from './end-to-end.ts';
import type { Measure, Taken } from './measure.ts';

const pollMs = 2;
/** Steps that are taken at each length; the median counts. */
const samples = 10;
/** No conversation here is long enough to be compacted. */
const window = { ERRAND_MODEL_WINDOW: '10000000' };

async function waitUntilStopped(service: ServiceProcess, taskId: string): Promise<void> {
  for (;;) {
    const { task } = await call<{ task: { status: string } }>(service, {
      method: 'GET',
      path: `/v2/task.detail?task_id=${taskId}`,
    });
    if (task.status === 'stopped') return;
    if (task.status !== 'running') throw new Error(`task ${taskId} is ${task.status}`);
    await pause(pollMs);
  }
}

/** Measures the time from a message to the model's call. */
async function takeTurn(service: ServiceProcess, model: TimedModel, taskId: string): Promise<number> {
  model.expect(0);
  const sentAt = performance.now();
  await call(service, messageRequest(taskId, 'And now?'));
  await waitUntilStopped(service, taskId);
  return (model.arrivals[0] ?? Number.NaN) - sentAt;
}

/** A task with this many turns. */
async function buildTask(service: ServiceProcess, turns: number): Promise<string> {
  const taskId = await createTask(service, 'Let us talk.');
  await waitUntilStopped(service, taskId);
  for (let turn = 1; turn < turns; turn += 1) {
    await call(service, messageRequest(taskId, `This is message ${turn} of a conversation that gets longer.`));
    await waitUntilStopped(service, taskId);
  }
  return taskId;
}

interface Talks {
  short: string;
  long: string;
}

interface Pair {
  early: number;
  late: number;
}

function compare(name: string, { early, late }: Pair): Taken {
  return { name, value: late / early, unit: '×', note: `${late.toFixed(1)} ms and ${early.toFixed(1)} ms` };
}

/** Turns of a short and a long task, one after the other, so that both meet the same moments of the machine. */
async function takeTurns(
  bed: TestBed,
  service: ServiceProcess,
  model: TimedModel,
  { short, long }: Talks,
  isNew: boolean,
): Promise<Pair> {
  const [early, late]: [number[], number[]] = [[], []];
  for (let round = 0; round < bed.sizes.turnRounds; round += 1) {
    if (isNew) await replaceWorker(service, bed.sizes.turns[0]);
    early.push(await takeTurn(service, model, short));
    late.push(await takeTurn(service, model, long));
  }
  return { early: median(early), late: median(late) };
}

/** A restarted process has folded no task, as another one would not have; it gets warm with one that is not measured. */
async function replaceWorker(service: ServiceProcess, turns: number): Promise<void> {
  await service.restart();
  await buildTask(service, turns);
}

/** Measures the time between two model calls of one run, around an early and a late step. */
async function takeSteps(service: ServiceProcess, model: TimedModel, [early, late]: readonly [number, number]): Promise<Pair> {
  model.expect(late + samples);
  await waitUntilStopped(service, await createTask(service, 'Look around.'));
  const { arrivals, replies } = model;
  const gaps = arrivals.slice(1).map((arrivedAt, at) => arrivedAt - (replies[at] ?? Number.NaN));
  return { early: median(gaps.slice(early - 1, early - 1 + samples)), late: median(gaps.slice(late - 1, late - 1 + samples)) };
}

export const length: Measure = {
  name: 'length',
  about: 'a late turn of a conversation and a late step of a task compared with early ones: in the same run, each as a multiple',
  async take(bed) {
    const { turns, runs, runSteps } = bed.sizes;
    const model = await TimedModel.start();
    try {
      await using service = await bed.startService({ env: { ...modelSettings(model.url), ...window } });
      const talks = { long: await buildTask(service, turns[1]), short: await buildTask(service, turns[0]) };
      const same = await takeTurns(bed, service, model, talks, false);
      const another = await takeTurns(bed, service, model, talks, true);
      // The first run gets the new process warm.
      await takeSteps(service, model, [runSteps[0], turns[1]]);
      const steps: Pair[] = [];
      for (let run = 0; run < runs; run += 1) steps.push(await takeSteps(service, model, runSteps));
      const step = { early: mean(steps.map(({ early }) => early)), late: mean(steps.map(({ late }) => late)) };
      return [
        compare('late turn, same worker', same),
        compare('late turn, another worker', another),
        compare('late step of a run', step),
      ];
    } finally {
      model.stop();
    }
  },
};
