import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import { clearFolder } from '../instance/clear-folder.ts';
import { findWorkspaceSave, firstGeneration, isCleared, recordWorkspaceSave } from '../../store/tasks/workspace-saves.ts';

/** Loaded when a workspace first moves: most never do. */
const loadArchive = () => import('@errand/sandbox/workspace-archive');

/** Size limit of a stored copy, compressed. */
const maxCopyBytes = 1024 * 1024 * 1024;

export interface WorkspaceKeeperParts {
  database: Database;
  workspaces: Workspaces;
  blobs: Pick<Blobs, 'put' | 'open'>;
  clock: Clock;
  log: Log;
}

/** Whether a workspace was present as the task left it, or is new on this machine. */
export type WorkspaceState = 'kept' | 'new';

/**
 * Moves the workspace of a task to whatever machine drives it. The local folder is used if its generation is that of the newest copy;
 * otherwise it is replaced by that copy.
 */
export class WorkspaceKeeper {
  readonly #parts: WorkspaceKeeperParts;

  constructor(parts: WorkspaceKeeperParts) {
    this.#parts = parts;
  }

  /** Before the first tool of a run: restores the folder to the state in which the task left it. */
  async restore({ accountId, taskId }: Lease): Promise<WorkspaceState> {
    const { database, workspaces, blobs, log } = this.#parts;
    const save = await database.run(findWorkspaceSave, { accountId, taskId });
    const held = await workspaces.generation(accountId, taskId);
    if (save === null) return held === null ? 'new' : 'kept';
    if (held === save.generation) return 'kept';
    if (isCleared(save)) {
      await clearFolder(workspaces, accountId, taskId, save.generation);
      return 'new';
    }
    const { unpackWorkspace } = await loadArchive();
    await workspaces.remove(accountId, taskId);
    await unpackWorkspace(workspaces.open(accountId, taskId).root, await blobs.open(accountId, save.blobId));
    await workspaces.setGeneration(accountId, taskId, save.generation);
    log.info({ task_id: taskId, generation: save.generation }, 'the workspace has followed its task to this machine');
    return 'new';
  }

  /**
   * A durable copy of the folder of a task about to be created, as its first; null if there is no folder. The local folder counts as that
   * copy before any worker can claim the task.
   */
  async copyFirst(accountId: string, taskId: string): Promise<string | null> {
    const { workspaces, blobs } = this.#parts;
    if ((await workspaces.generation(accountId, taskId)) === null) return null;
    const { packWorkspace } = await loadArchive();
    const { content } = packWorkspace(workspaces.open(accountId, taskId).root);
    const { blobId } = await blobs.put(accountId, content, { maxBytes: maxCopyBytes, isCopy: true });
    await workspaces.setGeneration(accountId, taskId, firstGeneration);
    return blobId;
  }

  /** Runs before the task becomes idle or moves to another worker. What cannot be saved now is saved later. */
  async save(lease: Lease): Promise<void> {
    const { accountId, taskId } = lease;
    const { database, workspaces, blobs, clock, log } = this.#parts;
    try {
      if ((await workspaces.generation(accountId, taskId)) === null) return;
      const { packWorkspace } = await loadArchive();
      const { content, leftOut } = packWorkspace(workspaces.open(accountId, taskId).root);
      const { blobId } = await blobs.put(accountId, content, { maxBytes: maxCopyBytes, isCopy: true });
      if (leftOut() > 0)
        log.warn({ task_id: taskId, count: leftOut() }, 'a workspace is too large to follow its task as a whole');
      const generation = await database.run(recordWorkspaceSave, { ...lease, blobId, now: clock.now() });
      if (generation !== null) await workspaces.setGeneration(accountId, taskId, generation);
    } catch (error) {
      log.warn({ err: error, task_id: taskId }, 'a workspace could not be saved; it stays on this machine');
    }
  }
}
