import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { LeftOut } from '@errand/sandbox/left-out';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import { mainTaskId } from '../../rules/agents/default-agent.ts';
import { clearFolder } from '../instance/clear-folder.ts';
import { findWorkspaceSave, firstGeneration, isCleared, recordWorkspaceSave } from '../../store/tasks/workspace-saves.ts';

/** Loads the archive code when a workspace first moves; most never do. */
const loadArchive = () => import('@errand/sandbox/workspace-archive');

/** Size limit of a stored copy, compressed. */
const maxCopyBytes = 1024 * 1024 * 1024;

export interface WorkspaceKeeperParts {
  database: Database;
  workspaces: Workspaces;
  blobs: Pick<Blobs, 'put' | 'open'>;
  clock: Clock;
  log: Log;
  /** Whether no other machine can drive the tasks, so that workspaces never move. */
  isAlone?: boolean;
}

/** Whether the workspace was present as the task left it, or is new on this machine. */
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

  /** Restores the folder, before the first tool of a run, to the state in which the task left it. */
  async restore({ accountId, taskId }: Lease): Promise<WorkspaceState> {
    const { database, workspaces, blobs, log, isAlone = false } = this.#parts;
    // Without copies, only the folder of a main task that was emptied can be another one than the task left.
    if (isAlone && taskId !== mainTaskId(accountId)) return 'kept';
    const save = await database.run(findWorkspaceSave, { accountId, taskId });
    if (isAlone && !(save && isCleared(save))) return 'kept';
    const held = await workspaces.generation(accountId, taskId);
    if (save === null) return held === null ? 'new' : 'kept';
    if (held === save.generation) return 'kept';
    if (isCleared(save)) {
      await clearFolder(workspaces, accountId, taskId, save.generation);
      return 'new';
    }
    const { unpackWorkspace } = await loadArchive();
    await workspaces.remove(accountId, taskId);
    const leftOut = await unpackWorkspace(workspaces.open(accountId, taskId).root, await blobs.open(accountId, save.blobId));
    if (leftOut.count > 0) await workspaces.setLeftOut(accountId, taskId, leftOut);
    await workspaces.setGeneration(accountId, taskId, save.generation);
    log.info({ task_id: taskId, generation: save.generation }, 'the workspace has followed its task to this machine');
    return 'new';
  }

  /** Reports what the folder has lacked since it was restored, until one report succeeds. */
  async reportLeftOut({ accountId, taskId }: Lease, report: (leftOut: LeftOut) => Promise<void>): Promise<void> {
    const { workspaces } = this.#parts;
    const leftOut = await workspaces.leftOut(accountId, taskId);
    if (leftOut === null) return;
    await report(leftOut);
    await workspaces.setLeftOut(accountId, taskId, null);
  }

  /**
   * Copies the folder of a task about to be created as its first durable copy; null if there is no folder. The local folder counts as that
   * copy before any worker can claim the task.
   */
  async copyFirst(accountId: string, taskId: string): Promise<string | null> {
    const { workspaces, blobs, isAlone = false } = this.#parts;
    if (isAlone) return null;
    if ((await workspaces.generation(accountId, taskId)) === null) return null;
    const { packWorkspace } = await loadArchive();
    const { content } = packWorkspace(workspaces.open(accountId, taskId).root);
    const { blobId } = await blobs.put(accountId, content, { maxBytes: maxCopyBytes, isCopy: true });
    await workspaces.setGeneration(accountId, taskId, firstGeneration);
    return blobId;
  }

  /** Saves the workspace before the task becomes idle or moves to another worker. What cannot be saved now is saved later. */
  async save(lease: Lease): Promise<void> {
    const { accountId, taskId } = lease;
    const { database, workspaces, blobs, clock, log, isAlone = false } = this.#parts;
    if (isAlone) return;
    try {
      if ((await workspaces.generation(accountId, taskId)) === null) return;
      const { packWorkspace } = await loadArchive();
      const { content, leftOut } = packWorkspace(workspaces.open(accountId, taskId).root);
      const { blobId } = await blobs.put(accountId, content, { maxBytes: maxCopyBytes, isCopy: true });
      if (leftOut().count > 0) log.warn({ task_id: taskId, ...leftOut() }, 'a workspace cannot follow its task as a whole');
      const generation = await database.run(recordWorkspaceSave, { ...lease, blobId, now: clock.now() });
      if (generation !== null) await workspaces.setGeneration(accountId, taskId, generation);
    } catch (error) {
      log.warn({ err: error, task_id: taskId }, 'a workspace could not be saved; it stays on this machine');
    }
  }
}
