import type { Log } from '@errand/base/log.ts';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { Database } from '../../store/db/database.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import { findClearedWorkspaces } from '../../store/tasks/workspace-saves.ts';
import { releaseWorkspaceUse } from './storage-reconciliation.ts';

/** Replaces a folder from before its task was emptied by none. */
export async function clearFolder(workspaces: Workspaces, accountId: string, taskId: string, generation: number): Promise<void> {
  if ((await workspaces.generation(accountId, taskId)) !== null) await workspaces.remove(accountId, taskId);
  await workspaces.setGeneration(accountId, taskId, generation);
}

interface ClearingParts {
  database: Database;
  workspaces: Workspaces;
  log: Log;
}

async function attempt(log: Log, about: { task_id?: string }, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    log.warn({ err: error, ...about }, 'an emptied workspace could not be removed; it is tried again later');
  }
}

/**
 * Clears the folders of those tasks that were emptied and do not run, once each: what was written since stays. What cannot be cleared now
 * (a command still writes to it, or a backup runs) is left to the sweeper.
 */
export async function clearWorkspaces({ database, workspaces, log }: ClearingParts, tasks: readonly TaskKey[]): Promise<void> {
  await attempt(log, {}, async () => {
    for (const { accountId, taskId, generation } of await database.run(findClearedWorkspaces, tasks)) {
      await attempt(log, { task_id: taskId }, async () => {
        if ((await workspaces.generation(accountId, taskId)) === generation) return;
        await clearFolder(workspaces, accountId, taskId, generation);
        await releaseWorkspaceUse(database, { accountId, taskId });
      });
    }
  });
}
