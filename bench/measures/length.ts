import { TimedModel } from '../load/timed-model.ts';
import { pause } from '../process/pause.ts';
import { mean, median } from '../report/statistics.ts';
import { call, createTask, messageRequest } from '../service/service-calls.ts';
import type { ServiceProcess } from '../../test/support/service/supervisor.ts';
import { modelSettings } from './end-to-end.ts';
import type { Measure, Taken } from './measure.ts';

const pollMs = 2;
/** Turns and steps that are taken at each length; the median counts. */
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

/** From the message to the model's call. */
async function takeTurn(service: ServiceProcess, model: TimedModel, taskId: string): Promise<number> {
  model.expect(0);
  const sentAt = performance.now();
  await call(service, messageRequest(taskId, 'And now?'));
  await waitUntilStopped(service, taskId);
  return (model.arrivals[0] ?? Number.NaN) - sentAt;
}

/** Tasks with this many turns. */
async function buildTasks(service: ServiceProcess, count: number, turns: number): Promise<string[]> {
  const build = async () => {
    const taskId = await createTask(service, 'Let us talk.');
    await waitUntilStopped(service, taskId);
    for (let turn = 1; turn < turns; turn += 1) {
      await call(service, messageRequest(taskId, `This is message ${turn} of a conversation that goes on.`));
      await waitUntilStopped(service, taskId);
    }
    return taskId;
  };
  return Promise.all(Array.from({ length: count }, build));
}

interface Pair {
  early: number;
  late: number;
}

function compare(name: string, { early, late }: Pair): Taken {
  return { name, value: late / early, unit: '×', note: `${late.toFixed(1)} ms and ${early.toFixed(1)} ms` };
}

/** Short and long tasks in turn, so that both meet the same moments of the machine. */
async function takeTurns(service: ServiceProcess, model: TimedModel, short: string[], long: string[]): Promise<Pair> {
  const [early, late]: [number[], number[]] = [[], []];
  for (const [at, taskId] of short.entries()) {
    early.push(await takeTurn(service, model, taskId));
    late.push(await takeTurn(service, model, long[at] ?? taskId));
  }
  return { early: median(early), late: median(late) };
}

/** Between two model calls of one run, around its early and its late step. */
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
    const { turnTasks, turns, runs, runSteps } = bed.sizes;
    const model = await TimedModel.start();
    try {
      await using service = await bed.startService({ env: { ...modelSettings(model.url), ...window } });
      const long = await buildTasks(service, turnTasks, turns[1]);
      const short = await buildTasks(service, turnTasks, turns[0]);
      const same = await takeTurns(service, model, short, long);
      // A restarted process has folded none of them, as another one would not have.
      await service.restart();
      await buildTasks(service, 1, turns[0]);
      const another = await takeTurns(service, model, short, long);
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
