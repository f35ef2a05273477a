import type { Clock } from '@errand/base/clock.ts';
import { deletedKey } from '@errand/base/signals/hints.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import type { WorkspaceOwner, Workspaces } from '@errand/sandbox/workspaces';
import type { Database } from '../../store/db/database.ts';
import { findMissingTasks } from '../../store/tasks/missing-tasks.ts';
import { type IdleWorkspace, listIdleWorkspaces } from '../../store/tasks/workspace-saves.ts';
import { clearWorkspaces } from './clear-folder.ts';
import { releaseWorkspaceUse } from './storage-reconciliation.ts';

const intervalMs = 10 * 60 * 1000;
/** Deletions within this time are swept together. */
const gatherMs = 2000;
const chunk = 256;
/** Longer than it takes to restore a workspace from its copy. */
const leftAloneMs = 60 * 60 * 1000;

export interface WorkspaceSweeperParts {
  database: Database;
  workspaces: Workspaces;
  clock: Clock;
  log: Log;
}

/** The task went on with a copy on another machine, where its files are counted, or the folder was packed. */
async function removeStale(parts: WorkspaceSweeperParts, { accountId, taskId, generation }: IdleWorkspace): Promise<void> {
  const { workspaces, clock, log } = parts;
  try {
    const isRemoved = await workspaces.removeStale(accountId, taskId, generation, clock.now() - leftAloneMs);
    if (isRemoved) log.info({ task_id: taskId }, 'a folder that is older than its copy was removed');
  } catch (error) {
    log.warn({ err: error, task_id: taskId }, 'a stale workspace could not be removed; it is tried again later');
  }
}

/** A folder that cannot be deleted now (a tool still writes to it) must not block the others. */
async function removeWorkspace({ database, workspaces, log }: WorkspaceSweeperParts, owner: WorkspaceOwner): Promise<void> {
  const { accountId, taskId } = owner;
  try {
    // Unless an import has begun since, which may unpack it anew.
    if ((await database.run(findMissingTasks, [{ accountId, taskId }])).length === 0) return;
    await workspaces.remove(accountId, taskId);
    await releaseWorkspaceUse(database, { accountId, taskId });
  } catch (error) {
    log.warn({ err: error, task_id: taskId }, 'a workspace could not be removed; it is tried again later');
  }
}

/** Removes the folders of this machine whose tasks were deleted, emptied, or went on with a newer copy. */
export async function sweepWorkspaces(parts: WorkspaceSweeperParts, isGoingOn: () => boolean): Promise<void> {
  const { database, workspaces } = parts;
  const kept = await workspaces.list();
  for (let at = 0; at < kept.length && isGoingOn(); at += chunk) {
    const owners = kept.slice(at, at + chunk);
    for (const owner of await database.run(findMissingTasks, owners)) await removeWorkspace(parts, owner);
    for (const moved of await database.run(listIdleWorkspaces, owners)) await removeStale(parts, moved);
    // Another machine may have emptied the task, or a process that has ended since.
    await clearWorkspaces(parts, owners);
  }
}

/** Does that alone, in a process that drives no tasks: it has folders only of packed workspaces that somebody has looked into there. */
export class WorkspaceSweeper extends Worker {
  readonly #parts: WorkspaceSweeperParts;

  constructor(parts: WorkspaceSweeperParts) {
    const { database, clock, log } = parts;
    const hint = { hints: database.hints, key: deletedKey, gatherMs };
    super({
      name: 'workspace-sweeper',
      clock,
      log,
      pollMs: intervalMs,
      hint,
      failure: 'folders could not be swept; it is tried again',
    });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    await sweepWorkspaces(this.#parts, () => this.isAccepting);
    return false;
  }
}
