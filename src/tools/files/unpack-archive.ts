import { posix } from 'node:path';
import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';
import type { ArchiveReader } from './archives/archive-reader.ts';
import { describeLeftOut, findFormat } from './archives/archive-text.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

const input = z.strictObject({
  path: z.string(),
  into: z.string().optional().describe('A new folder.').meta({ disclosure: 'bare' }),
});

function defaultFolder(path: string): string {
  const name = posix.basename(path).replace(/(\.tar)?\.[A-Za-z0-9]+$/, '');
  const folder = posix.join(posix.dirname(path), name);
  return folder === path ? `${path}-unpacked` : folder;
}

async function checkIsNew(workspace: Workspace, folder: string): Promise<void> {
  try {
    await workspace.list(folder, 1);
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return;
    throw error;
  }
  throw new Fault('conflict', `into: "${folder}" already exists. Name a folder that does not exist yet.`);
}

/** @param isSpare whether run_shell can unpack, too */
export function createUnpackArchive(archives: ArchiveReader, isSpare = false): Tool {
  return defineTool({
    name: 'unpack_archive',
    description: 'Unpacks a zip, tar, tar.gz or gz file.',
    input,
    isSpare,
    effect: 'retry',
    reads: 'files',
    summarize: ({ path }) => ({ brief: `Unpacking ${path}`, action: 'Unpacking', param: path }),
    async run({ path, into }, { accountId: owner, workspace, signal }) {
      const archive = normaliseWorkspacePath(path);
      const folder = normaliseWorkspacePath(into ?? defaultFolder(archive));
      const format = await findFormat(workspace, archive);
      if (format === null) {
        throw new Fault('invalid_argument', `"${archive}" is not a zip, tar, or gzip file. Use run_shell for other formats.`);
      }
      await checkIsNew(workspace, folder);
      const { entries, leftOut } = await archives.unpack(workspace, archive, format, folder, { owner, signal });
      const files = entries.filter(({ kind }) => kind === 'file').length;
      const lines = [`Unpacked ${files} ${files === 1 ? 'file' : 'files'} into ${folder}.`, ...describeLeftOut(leftOut)];
      return { status: 'success', output: lines.join('\n') };
    },
  });
}
