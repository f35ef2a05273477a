import { expect, it } from 'vitest';
import { z } from 'zod';
import { Metrics } from '@errand/base/metrics.ts';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog, type Log } from '@errand/base/log.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { defineTool } from '../../tools/toolbox/tool.ts';
import { createToolbox } from '../../tools/toolbox/toolbox.ts';
import { watchToolbox } from './watched-toolbox.ts';

const input = z.object({ text: z.string() });
const sample = { description: '', input, effect: 'retry' as const, summarize: () => ({ brief: '', action: '', param: '' }) };

it('calls of tools are counted under bounded names, and failed ones logged with ids alone', async () => {
  const metrics = new Metrics();
  const lines: object[] = [];
  const log: Log = { ...silentLog, info: (line: object) => void lines.push(line) } as Log;
  const own = defineTool({
    ...sample,
    name: 'speak',
    run: ({ text }) => Promise.resolve({ status: text === '' ? 'error' : 'success', output: 'a canary' }),
  });
  const foreign = defineTool({ ...own, name: 'mcp__canary__speak', connectorId: 'c1' });
  const toolbox = watchToolbox(createToolbox([own], silentLog), { metrics, clock: systemClock, log }).extend([foreign]);
  const context = toolContext(openWorkspace(createFolder('watched')));
  const call = (tool: string, text: string) => toolbox.runCall({ tool, input: { text } }, context);
  await call('speak', 'canary');
  await call('speak', '');
  await call('mcp__canary__speak', '');
  await call('canary', 'x');
  const page = metrics.render([]);
  expect(page).toContain('errand_tool_calls_total{tool="speak",status="success"} 1\n');
  expect(page).toContain('errand_tool_calls_total{tool="speak",status="error"} 1\n');
  expect(page).toContain('errand_tool_calls_total{tool="connector",status="error"} 1\n');
  expect(page).toContain('errand_tool_calls_total{tool="unknown",status="error"} 1\n');
  expect(page).toContain('errand_tool_call_duration_seconds_count{tool="speak"} 2\n');
  expect(lines).toMatchObject(
    ['speak', 'connector', 'unknown'].map((tool) => ({ tool, task_id: context.taskId, account_id: context.accountId })),
  );
  expect(JSON.stringify([page, lines])).not.toContain('canary');
});
