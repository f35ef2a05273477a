import type { Log } from '@errand/base/log.ts';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { Database } from '../../store/db/database.ts';
import { readLease } from '../../store/tasks/task-leases.ts';

/** The folder of a task's memory during one run: another worker may begin the next one before this has ended. */
export function nameMemoryFolder({ taskId, fence }: { taskId: string; fence: number }): string {
  return `${taskId}-${fence}`;
}

function readName(name: string): { taskId: string; fence: number } | null {
  const [, taskId, fence] = /^(.+)-(\d{1,15})$/.exec(name) ?? [];
  return taskId === undefined ? null : { taskId, fence: Number(fence) };
}

export interface StaleFoldersParts {
  database: Database;
  /** The folders that tasks see as /memory. */
  folders: Workspaces;
  log: Log;
}

/**
 * Removes what killed workers have left: folders of runs after which another one has begun, and of deleted tasks. There are no more of
 * them than runs at a time.
 */
export async function removeStaleMemory({ database, folders, log }: StaleFoldersParts): Promise<void> {
  for (const { accountId, taskId: name } of await folders.list()) {
    const run = readName(name);
    const lease = run && (await database.run(readLease, { accountId, taskId: run.taskId }));
    if (run && lease && lease.fence <= run.fence) continue;
    try {
      await folders.remove(accountId, name);
    } catch (error) {
      log.warn({ err: error, folder: name }, 'the memory of an earlier run could not be removed; it is tried again later');
    }
  }
}
