import { join } from 'node:path';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Sandbox } from '@errand/sandbox';
import { openWorkspace } from '@errand/sandbox/workspace';
import { standardTools } from '../../src/tools/standard-tools.ts';
import { TaskResources } from '../../src/tools/toolbox/task-resources.ts';
import { createToolbox } from '../../src/tools/toolbox/toolbox.ts';
import { toolContext } from '../../test/support/tasks/tool-context.ts';

/** Milliseconds until a command shows its first output, of the first one of a task and of those that follow. */
export async function takeDelays(sandbox: Sandbox, folder: string, commands: number): Promise<number[]> {
  const toolbox = createToolbox(standardTools(systemClock, sandbox), silentLog);
  const resources = new TaskResources();
  const delays: number[] = [];
  try {
    for (let at = 0; at < commands; at++) {
      const startedAt = performance.now();
      let shownAt = Number.NaN;
      const report = () => (shownAt = Number.isNaN(shownAt) ? performance.now() : shownAt);
      const context = toolContext(openWorkspace(join(folder, 'account', 'task')), { resources, report });
      const { output } = await toolbox.runCall({ tool: 'run_shell', input: { command: 'echo here; cd /workspace' } }, context);
      if (!output.startsWith('here')) throw new Error(`a command said ${output}`);
      delays.push(shownAt - startedAt);
    }
    return delays;
  } finally {
    await resources.abandon();
  }
}
