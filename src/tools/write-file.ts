import { z } from 'zod';
import { findMade } from '../rules/made-files.ts';
import { normaliseWorkspacePath } from '../sandbox/workspace-path.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  path: z.string().describe('The file, relative to the workspace, for example "reports/summary.md".'),
  content: z.string().describe('The whole new content of the file.'),
});

export const writeFile = defineTool({
  name: 'write_file',
  description: `Creates a text file in the workspace, or replaces it as a whole. Missing folders are made.
Use it for new files and for complete rewrites; to change a part of an existing file use edit_file, which is shorter and safer.
Give the complete content: nothing of the old file is kept, and a placeholder such as "rest as before" would be written as it stands.`,
  input,
  effect: 'retry',
  account: ({ path }) => ({ brief: `Writing ${path}`, action: 'Writing file', param: path }),
  async run({ path, content }, { workspace, made }) {
    await workspace.write(path, content);
    const written = normaliseWorkspacePath(path);
    const output = `Wrote ${written} (${Buffer.byteLength(content)} bytes).`;
    // What a tool had made there is gone with the rewrite.
    const isPlain = findMade(made, written).kind === 'file';
    return { status: 'success', output, ...(!isPlain && { made: [{ kind: 'file' as const, path: written }] }) };
  },
});
