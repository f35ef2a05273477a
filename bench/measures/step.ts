import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@errand/base/clock.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { type ModelServer, startModelServer } from '../../test/support/models/model-server.ts';
import type { ServiceProcess } from '../../test/support/service/supervisor.ts';
import { createTask, waitUntilIdle } from '../service/service-calls.ts';
import { takeDelays } from '../process/command-delays.ts';
import type { Measure } from './measure.ts';
import { mean, median, quantile } from '../report/statistics.ts';
import { modelSettings } from './end-to-end.ts';

/** Milliseconds between the end of each of a task's model calls and the begin of the next one. */
async function takeGaps(service: ServiceProcess, server: ModelServer, steps: number): Promise<number[]> {
  await server.reset();
  const step = { calls: [{ tool: 'list_files', input: {} }] };
  await server.script([{ steps: [...Array.from({ length: steps }, () => step), { text: 'Done.' }] }]);
  await createTask(service, 'look around');
  await waitUntilIdle(service, 1);
  const calls = (await server.calls()).toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  if (calls.length !== steps + 1) throw new Error(`${calls.length} model calls instead of ${steps + 1}`);
  return calls.slice(1).map((call, at) => call.startedAtMs - (calls[at]?.closedAtMs ?? Number.NaN));
}

export const step: Measure = {
  name: 'step',
  about: 'what the service takes between two model calls of a task: run the tool, log it durably, ask again',
  async take(bed) {
    const { steppedTasks, steps } = bed.sizes;
    const server = await startModelServer();
    try {
      await using service = await bed.startService({ env: modelSettings(server.openaiUrl) });
      await takeGaps(service, server, steps);
      const gaps: number[][] = [];
      for (let task = 0; task < steppedTasks; task++) gaps.push(await takeGaps(service, server, steps));
      // Call times are whole milliseconds, so a task's mean says more than the middle one of its gaps.
      const value = median(gaps.map(mean));
      return [{ name: 'overhead per agent step', value, unit: 'ms', note: `p99 ${quantile(gaps.flat(), 0.99)} ms` }];
    } finally {
      await server.stop();
    }
  },
};

export const command: Measure = {
  name: 'command',
  about: "from an agent's call of run_shell to the first output of its command",
  async take({ sizes }) {
    const { sandbox, ...missing } = await openSandbox({ clock: systemClock });
    if (!sandbox) throw new Error(`commands need the sandbox: ${JSON.stringify(missing)}`);
    const folder = await mkdtemp(join(tmpdir(), 'errand-bench-command-'));
    try {
      const delaysOf = (task: string, commands: number) => takeDelays(sandbox, join(folder, task), commands);
      const [, ...next] = await delaysOf('held', sizes.commands);
      const first: number[] = [];
      for (let task = 0; task < sizes.newTasks; task++) first.push(...(await delaysOf(`new-${task}`, 1)));
      const crowd = Array.from({ length: sizes.tasksAtOnce }, (_, task) => delaysOf(`crowd-${task}`, 1));
      const crowded = (await Promise.all(crowd)).flat();
      const note = (delays: readonly number[]) => `p99 ${quantile(delays, 0.99).toFixed(1)} ms`;
      return [
        { name: "a command's first output, p50", value: median(next), unit: 'ms', note: note(next) },
        { name: "a new task's first output, p50", value: median(first), unit: 'ms', note: `${note(first)}; it opens a sandbox` },
        {
          name: 'first outputs of new tasks at once',
          value: Math.max(...crowded),
          unit: 'ms',
          note: `the last of ${crowded.length}`,
        },
      ];
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
