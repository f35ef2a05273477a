import { z } from 'zod';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { WorkspaceEntry } from '@errand/sandbox/workspace';
import { closedFolders } from '../toolbox/closed-folders.ts';
import { defineTool } from '../toolbox/tool.ts';

const input = z.strictObject({
  path: z.string().default('.').describe('Folder.').meta({ disclosure: 'bare' }),
  depth: z.int().min(1).max(32).default(3),
  limit: z.int().min(1).max(1000).default(200),
});

function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function levelOf(path: string): number {
  return path === '.' ? 0 : path.split('/').length;
}

function drawEntry({ path, kind, bytes }: WorkspaceEntry, indent: number, isOpen: boolean): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const shown = kind === 'file' ? `${name}  ${showSize(bytes)}` : `${name}/${isOpen ? '' : '  (not opened)'}`;
  return '  '.repeat(indent) + shown;
}

/** The entries as an indented tree; folders that were not entered are marked. */
function drawTree(entries: readonly WorkspaceEntry[], topLevel: number, depth: number): string[] {
  return entries.map((entry) => {
    const level = levelOf(entry.path) - topLevel;
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
    return drawEntry(entry, level, level < depth && !closedFolders.includes(name));
  });
}

export const listFiles = defineTool({
  name: 'list_files',
  description: 'Shows a folder as a tree with sizes.',
  input,
  effect: 'retry',
  onlyReads: true,
  summarize: ({ path }) => ({ brief: `Listing ${path}`, action: 'Listing files', param: path }),
  async run({ path, depth, limit }, { workspace }) {
    const shown = normaliseWorkspacePath(path);
    const entries = await workspace.list(path, limit + 1, { depth, closed: closedFolders });
    if (entries.length === 0) return { status: 'success', output: `${shown} is empty.` };
    const tree = drawTree(entries.slice(0, limit), levelOf(shown), depth);
    const cut =
      entries.length > limit ? [`[Cut after ${limit} entries. List a folder by its path, or raise limit (up to 1000).]`] : [];
    return { status: 'success', output: [`${shown}/`, ...tree, ...cut].join('\n') };
  },
});
