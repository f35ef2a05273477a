import type { Workspaces } from '@errand/sandbox/workspaces';

/** Replaces a folder from before its task was emptied by none. */
export async function clearFolder(workspaces: Workspaces, accountId: string, taskId: string, generation: number): Promise<void> {
  if ((await workspaces.generation(accountId, taskId)) !== null) await workspaces.remove(accountId, taskId);
  await workspaces.setGeneration(accountId, taskId, generation);
}
