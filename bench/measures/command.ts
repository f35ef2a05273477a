import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Sandbox } from '@errand/sandbox';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { openWorkspace } from '@errand/sandbox/workspace';
import { standardTools } from '../../src/tools/standard-tools.ts';
import { HeldThings } from '../../src/tools/toolbox/held-things.ts';
import { createToolbox } from '../../src/tools/toolbox/toolbox.ts';
import { toolContext } from '../../test/support/tasks/tool-context.ts';
import { median, quantile } from '../report/statistics.ts';
import type { Measure } from './measure.ts';

/** Milliseconds until a command shows its first output, of the first one of a task and of those that follow. */
async function takeDelays(sandbox: Sandbox, folder: string, commands: number): Promise<number[]> {
  const toolbox = createToolbox(standardTools(systemClock, sandbox), silentLog);
  const held = new HeldThings();
  const delays: number[] = [];
  try {
    for (let at = 0; at < commands; at++) {
      const startedAt = performance.now();
      let shownAt = Number.NaN;
      const report = () => (shownAt = Number.isNaN(shownAt) ? performance.now() : shownAt);
      const context = toolContext(openWorkspace(join(folder, 'account', 'task')), { held, report });
      const { output } = await toolbox.runCall({ tool: 'run_shell', input: { command: 'echo here; cd /workspace' } }, context);
      if (!output.startsWith('here')) throw new Error(`a command said ${output}`);
      delays.push(shownAt - startedAt);
    }
    return delays;
  } finally {
    await held.abandon();
  }
}

export const command: Measure = {
  name: 'command',
  about: "from an agent's call of run_shell to the first output of its command",
  async take({ sizes }) {
    const { sandbox, ...missing } = await openSandbox({ clock: systemClock });
    if (!sandbox) throw new Error(`commands need the sandbox: ${JSON.stringify(missing)}`);
    const folder = await mkdtemp(join(tmpdir(), 'errand-bench-command-'));
    try {
      const [first = Number.NaN, ...next] = await takeDelays(sandbox, folder, sizes.commands);
      const note = `p99 ${quantile(next, 0.99).toFixed(1)} ms; the first one of a task, which opens its sandbox, ${first.toFixed(0)} ms`;
      return [{ name: "a command's first output, p50", value: median(next), unit: 'ms', note }];
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
