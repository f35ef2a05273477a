import { createHash } from 'node:crypto';
import { type Clock, pause } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { LeftOut } from '@errand/sandbox/left-out';
import type { WorkspaceArchive } from '@errand/sandbox/workspace-archive';
import type { WorkspaceOwner, Workspaces } from '@errand/sandbox/workspaces';
import type { Blobs, StoredBlob } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import { listQuietTasks, type QuietTask, recordPackedWorkspace } from '../../store/tasks/packed-workspaces.ts';
import { listIdleWorkspaces } from '../../store/tasks/workspace-saves.ts';
import { maxCopyBytes, type WorkspaceKeeper } from './workspace-keeper.ts';

export interface WorkspacePackingParts {
  database: Database;
  workspaces: Workspaces;
  blobs: Pick<Blobs, 'put' | 'open'>;
  keeper: Pick<WorkspaceKeeper, 'exclusively'>;
  clock: Clock;
  log: Log;
  /** How long nothing may have happened to a task and its folder before that is packed. */
  quietMs: number;
  /** Whether this process holds tasks; it then packs slowly. */
  isBusy(): boolean;
}

/** Tasks that are looked up at once. */
const chunk = 256;
/** While tasks run, it pauses this many times as long as it has worked. */
const busyPauses = 4;
/** Workspaces that cannot be packed and are not tried again by this process; of more, some are. */
const mostRefused = 10_000;

/** An archive cannot hold the whole workspace, so the folder stays. */
class Incomplete extends Error {
  constructor({ files: [first] }: LeftOut) {
    super(`not all of its entries can be in an archive, such as ${JSON.stringify(first)}`);
    this.name = 'Incomplete';
  }
}

/** Passes the content of an archive on until it is known to lack something, or the process stops. */
async function* refuseIncomplete({ content, leftOut }: WorkspaceArchive, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    signal.throwIfAborted();
    if (leftOut().count > 0) break;
    yield piece;
  }
  if (leftOut().count > 0) throw new Incomplete(leftOut());
}

async function readDigest(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of content) {
    signal.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}

/**
 * Packs the folders of tasks in which nothing has happened for long into one archive each, and removes them. The order makes every moment
 * safe: the archive is durable and was read back before it is recorded, the record is refused if the task has been claimed since, and only
 * a recorded archive lets the folder go. A folder that is still there then has an earlier number than its copy, like one whose task has
 * gone on elsewhere: the sweeper removes it, or the next run of its task replaces it.
 */
export class WorkspacePacking {
  readonly #parts: WorkspacePackingParts;
  readonly #refused = new Set<string>();

  constructor(parts: WorkspacePackingParts) {
    this.#parts = parts;
  }

  /** Goes once through the folders of this machine, one after another, until `signal` is aborted; returns how many it has packed. */
  async run(signal: AbortSignal): Promise<number> {
    const { database, workspaces, quietMs } = this.#parts;
    const owners = await workspaces.list();
    let packed = 0;
    for (let at = 0; at < owners.length && !signal.aborted; at += chunk) {
      const tasks = owners.slice(at, at + chunk).filter(({ taskId }) => !this.#refused.has(taskId));
      for (const task of await database.run(listQuietTasks, { tasks, quietMs })) {
        if (!signal.aborted && (await this.#packSlowly(task, signal))) packed += 1;
      }
    }
    return packed;
  }

  async #packSlowly(task: QuietTask, signal: AbortSignal): Promise<boolean> {
    const { clock, isBusy } = this.#parts;
    const beganAt = clock.monotonic();
    const isPacked = await this.#tryPack(task, signal);
    if (isBusy()) await pause(clock, busyPauses * (clock.monotonic() - beganAt), signal);
    return isPacked;
  }

  /** One that cannot be packed does not keep the others from it. */
  async #tryPack(task: QuietTask, signal: AbortSignal): Promise<boolean> {
    const { workspaces, log } = this.#parts;
    try {
      return await this.#pack(task, signal);
    } catch (error) {
      if (signal.aborted) return false;
      // Another process that shares the disk has packed it, or a run replaces it.
      if ((await workspaces.generation(task.accountId, task.taskId)) !== null) this.#noteFailure(task, error, log);
      return false;
    }
  }

  #noteFailure({ taskId }: QuietTask, error: unknown, log: Log): void {
    const about = { err: error, task_id: taskId };
    if (!(error instanceof Incomplete)) log.warn(about, 'a workspace could not be packed; it is tried again later');
    else if (this.#refused.size < mostRefused) {
      this.#refused.add(taskId);
      log.info(about, 'a workspace stays a folder');
    }
  }

  async #pack(task: QuietTask, signal: AbortSignal): Promise<boolean> {
    const { database, workspaces, clock, keeper, quietMs } = this.#parts;
    const { accountId, taskId, generation } = task;
    const held = await workspaces.generation(accountId, taskId);
    // Another copy than the newest is not what the task left.
    if (held === null || (generation > 0 && held !== generation)) return false;
    const { root } = workspaces.open(accountId, taskId);
    const quietSince = clock.now() - quietMs;
    if (((await workspaces.changedAt(accountId, taskId)) ?? quietSince) >= quietSince) return false;
    const { blobId, bytes } = await this.#store(task, root, signal);
    const next = Math.max(held, generation) + 1;
    return keeper.exclusively(taskId, async () => {
      if (!(await database.run(recordPackedWorkspace, { ...task, blobId, bytes, next, now: clock.now() }))) return false;
      await this.#removeFolder(task, next, quietSince);
      return true;
    });
  }

  /** Stores the archive of a folder and reads it back. */
  async #store({ accountId }: WorkspaceOwner, root: string, signal: AbortSignal): Promise<StoredBlob> {
    const { blobs } = this.#parts;
    const { packWorkspace } = await import('@errand/sandbox/workspace-archive');
    const content = refuseIncomplete(packWorkspace(root), signal);
    const stored = await blobs.put(accountId, content, { maxBytes: maxCopyBytes, isCopy: true });
    const digest = await readDigest(await blobs.open(accountId, stored.blobId), signal);
    if (digest !== stored.sha256) throw new Error('the archive of a workspace is not what was stored');
    return stored;
  }

  /** Unless a backup has begun that copies folders: then the sweeper removes it later. */
  async #removeFolder({ accountId, taskId }: WorkspaceOwner, generation: number, quietSince: number): Promise<void> {
    const { database, workspaces } = this.#parts;
    const [idle] = await database.run(listIdleWorkspaces, [{ accountId, taskId }]);
    if (idle?.generation === generation) await workspaces.removeStale(accountId, taskId, generation, quietSince);
  }
}
