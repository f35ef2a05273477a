import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { drawFormat } from './schema-text.ts';
import { defineTool, type Tool } from './tool.ts';
import { readFullSchema } from './tool-schema.ts';

export const explainToolName = 'explain_tool';

const input = z.strictObject({ tool: z.string().min(1).max(200) });

/** Shows what the definitions leave out, so that not every request has to include it. */
export function createExplainTool(find: (name: string) => Tool | undefined): Tool {
  return defineTool({
    name: explainToolName,
    description: 'Shows all fields of a tool, also its "More".',
    input,
    effect: 'retry',
    summarize: ({ tool }) => ({ brief: `Looking up ${tool}`, action: 'Looking up', param: tool }),
    run({ tool: name }) {
      const tool = find(name);
      if (!tool) throw new Fault('not_found', `tool: there is no tool "${name.slice(0, 64)}".`);
      const format = drawFormat(readFullSchema(tool));
      const output = `${name}: ${tool.description}\n\nIts input, where ? marks what may be left out:\n${format}`;
      return Promise.resolve({ status: 'success', output });
    },
  });
}
