import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';

export interface TemporaryFolder {
  /** The folder's name prefix, which identifies folders left by a crash. */
  name: string;
  fileLimitBytes: number;
}

/** Runs `work` in a workspace that is deleted afterward. */
export async function inTemporaryWorkspace<Result>(
  { name, fileLimitBytes }: TemporaryFolder,
  act: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    return await act(openWorkspace(join(folder, 'workspace'), { fileLimitBytes }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
