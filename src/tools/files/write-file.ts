import { z } from 'zod';
import { findMade } from '../../rules/artifacts/made-files.ts';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { defineTool } from '../toolbox/tool.ts';

const input = z.strictObject({
  path: z.string().describe('Relative to the workspace.').meta({ disclosure: 'bare' }),
  content: z.string(),
});

export const writeFile = defineTool({
  name: 'write_file',
  description: `Creates or replaces a text file.`,
  input,
  effect: 'retry',
  summarize: ({ path }) => ({ brief: `Writing ${path}`, action: 'Writing file', param: path }),
  async run({ path, content }, { workspace, made }) {
    await workspace.write(path, content);
    const written = normaliseWorkspacePath(path);
    const output = `Wrote ${written} (${Buffer.byteLength(content)} bytes).`;
    // The rewrite replaces what a tool had generated there.
    const isPlain = findMade(made, written).kind === 'file';
    return { status: 'success', output, ...(!isPlain && { made: [{ kind: 'file' as const, path: written }] }) };
  },
});
