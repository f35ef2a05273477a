import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { LeftOut } from '@errand/sandbox/left-out';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import {
  findWorkspaceSave,
  firstGeneration,
  isCleared,
  recordWorkspaceSave,
  type WorkspaceSave,
} from '../../store/tasks/workspace-saves.ts';
import { clearFolder } from '../instance/clear-folder.ts';

/** Loads the archive code when a workspace first moves; most never do. */
const loadArchive = () => import('@errand/sandbox/workspace-archive');
const loadUnpacking = () => import('@errand/sandbox/workspace-unpacking');

/** Size limit of a stored copy, compressed. */
export const maxCopyBytes = 1024 * 1024 * 1024;

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
 * otherwise it is replaced by that copy. A process without other machines has copies of packed workspaces only.
 */
export class WorkspaceKeeper {
  readonly #parts: WorkspaceKeeperParts;
  /** What replaces or removes a folder at the moment, by task. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(parts: WorkspaceKeeperParts) {
    this.#parts = parts;
  }

  /** Runs `work`, which replaces or removes the folder of a task, after all other such work on it in this process. */
  async exclusively<Result>(taskId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#underWay.get(taskId);
    const own = (before ?? Promise.resolve()).then(work, work);
    this.#underWay.set(taskId, own);
    try {
      return await own;
    } finally {
      if (this.#underWay.get(taskId) === own) this.#underWay.delete(taskId);
    }
  }

  /**
   * Restores the folder, before the first tool of a run, to the state in which the task left it. `hasSave` is from the claim, which locks
   * the task: only the worker that holds a task copies its workspace (`recordWorkspaceSave`), so without a copy then, there is none to ask
   * for, and where workspaces never move, nothing to do.
   */
  async restore({ accountId, taskId }: TaskKey, hasSave = true): Promise<WorkspaceState> {
    if (this.#parts.isAlone === true && !hasSave) return 'kept';
    return this.exclusively(taskId, () => this.#restore({ accountId, taskId }, hasSave));
  }

  /** Restores the folder of a task that rests, for somebody who reads it without its lease; nothing packs it for a while then. */
  restoreToRead({ accountId, taskId }: TaskKey): Promise<void> {
    const { workspaces, clock } = this.#parts;
    return this.exclusively(taskId, async () => {
      await this.#restore({ accountId, taskId });
      await workspaces.touch(accountId, taskId, clock.now());
    });
  }

  /** Unpacks a packed workspace that somebody wants to look into, also one that is half there; leaves all others alone. */
  async unpack({ accountId, taskId }: TaskKey): Promise<void> {
    const save = await this.#parts.database.run(findWorkspaceSave, { accountId, taskId });
    if (save && save.packedBytes !== null) await this.restore({ accountId, taskId });
  }

  async #restore(key: TaskKey, hasSave = true): Promise<WorkspaceState> {
    const { accountId, taskId } = key;
    const { database, workspaces, isAlone = false } = this.#parts;
    const save = hasSave ? await database.run(findWorkspaceSave, key) : null;
    const held = await workspaces.generation(accountId, taskId);
    if (save === null) return held === null && !isAlone ? 'new' : 'kept';
    if (held === save.generation) {
      // Unpacked by a process that ended before it could say so.
      if (save.packedBytes !== null) await this.#noteUnpacked(key, save);
      return 'kept';
    }
    if (isCleared(save)) {
      await clearFolder(workspaces, accountId, taskId, save.generation);
      return 'new';
    }
    await this.#unpackSave(key, save);
    // What was packed lacks nothing that its task had.
    return save.packedBytes === null ? 'new' : 'kept';
  }

  async #unpackSave(key: TaskKey, save: WorkspaceSave): Promise<void> {
    const { accountId, taskId } = key;
    const { workspaces, blobs, log, isAlone = false } = this.#parts;
    const [{ unpackWorkspace }, { workspaceArchiveLimits: limits }] = await Promise.all([loadUnpacking(), loadArchive()]);
    const { root } = workspaces.open(accountId, taskId);
    const content = await blobs.open(accountId, save.blobId);
    try {
      await workspaces.remove(accountId, taskId);
    } catch (error) {
      content.destroy();
      throw error;
    }
    let leftOut: LeftOut;
    try {
      leftOut = await unpackWorkspace(root, content, { limits, isDurable: true });
    } catch (error) {
      // Earlier versions take what is there for whole. Beside other processes it may be theirs.
      if (isAlone) await workspaces.remove(accountId, taskId);
      throw error;
    }
    if (leftOut.count > 0) await workspaces.setLeftOut(accountId, taskId, leftOut);
    await workspaces.setGeneration(accountId, taskId, save.generation);
    const about = { task_id: taskId, generation: save.generation };
    if (save.packedBytes === null) log.info(about, 'the workspace has followed its task to this machine');
    else log.info({ ...about, packed_bytes: save.packedBytes }, 'a packed workspace was unpacked');
    if (save.packedBytes !== null) await this.#noteUnpacked(key, save);
  }

  /** The folder is on disk: where no other machine needs it, the archive is dropped. */
  async #noteUnpacked({ accountId, taskId }: TaskKey, { generation }: WorkspaceSave): Promise<void> {
    const { database, isAlone = false } = this.#parts;
    const { recordUnpackedWorkspace } = await import('../../store/tasks/packed-workspaces.ts');
    await database.run(recordUnpackedWorkspace, { accountId, taskId, generation, keepsCopy: !isAlone });
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
