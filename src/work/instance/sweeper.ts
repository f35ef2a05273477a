import type { Clock } from '@errand/base/clock.ts';
import { deletedKey } from '@errand/base/signals/hints.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import { oauthLifetimes } from '../../rules/oauth/oauth-policy.ts';
import type { WorkspaceOwner, Workspaces } from '@errand/sandbox/workspaces';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import { deleteExpiredPasswordLinks } from '../../store/accounts/recovery/password-links.ts';
import { deleteExpiredPendingSignIns } from '../../store/accounts/two-step/pending-sign-ins.ts';
import { deleteExpiredAttempts } from '../../store/accounts/sign-in-attempts.ts';
import { deleteExpiredDeliveries } from '../../store/webhooks/delivery-log.ts';
import { deleteExpiredListeners } from '../../store/webhooks/listeners.ts';
import { expireFiles } from '../../store/files/files.ts';
import { deleteExpiredListCursors } from '../../store/artifacts/artifact-list-cursors.ts';
import { deleteExpiredKeys } from '../../store/db/idempotency-keys.ts';
import { findMissingTasks } from '../../store/tasks/missing-tasks.ts';
import { type IdleWorkspace, listIdleWorkspaces } from '../../store/tasks/workspace-saves.ts';
import { deleteExpiredDevices } from '../../store/oauth/oauth-devices.ts';
import { deleteExpiredGrants } from '../../store/oauth/oauth-grants.ts';
import { deleteExpiredSessions } from '../../store/accounts/sessions.ts';
import { mendQueueTimes } from '../../store/instance/queue-times.ts';
import { deleteExpiredRates } from '../../store/instance/rate-limit-leases.ts';
import { deleteExpiredSecurityEvents } from '../../store/accounts/security-events.ts';
import { deleteExpiredTriggerKeys } from '../../store/triggers/fire-trigger.ts';
import { deleteExpiredRequests } from '../../store/requests/kept-requests.ts';
import { clearWorkspaces } from './clear-folder.ts';
import { reconcileStorage, releaseWorkspaceUse } from './storage-reconciliation.ts';
import { removeStaleMemory } from './stale-memory.ts';
import { removeUnusedSetups } from './unused-setups.ts';
import { settleAll } from '../credits/credit-settling.ts';

const intervalMs = 10 * 60 * 1000;
/** Deletions within this time are swept together. */
const gatherMs = 2000;
const chunk = 256;
/** Counters are maintained with every change; this corrects what crashes left. */
const reconcileEveryMs = 6 * 60 * 60 * 1000;
/** Longer than any refresh token lives, so that reuse is always detected. */
const spentTokensMs = 2 * oauthLifetimes.refreshMs;
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
async function sweepWorkspaces(parts: WorkspaceSweeperParts, isGoingOn: () => boolean): Promise<void> {
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

export interface SweeperParts extends WorkspaceSweeperParts {
  /** Where tasks see their memory during their runs. */
  memoryFolders?: Workspaces;
  /** What the setup scripts of projects have made. */
  setupFolders?: Workspaces;
  blobs: Pick<Blobs, 'sweep' | 'measure'>;
}

/** Removes what has expired or nothing refers to any longer, such as workspaces, uploads, blobs, keys, and sessions; `work` lists it all. */
export class Sweeper extends Worker {
  readonly #parts: SweeperParts;
  #reconciledAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SweeperParts) {
    const { database, clock, log } = parts;
    const hint = { hints: database.hints, key: deletedKey, gatherMs };
    super({ name: 'sweeper', clock, log, pollMs: intervalMs, hint, failure: 'sweeping failed; it is tried again later' });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    const { database, clock, blobs } = this.#parts;
    await this.#repeat(() => database.run(mendQueueTimes, { limit: chunk }));
    await sweepWorkspaces(this.#parts, () => this.isAccepting);
    const { memoryFolders: folders, setupFolders, log } = this.#parts;
    if (folders) await removeStaleMemory({ database, folders, log });
    if (setupFolders) await removeUnusedSetups({ folders: setupFolders, clock, log });
    await this.#repeat(() => database.run(deleteExpiredKeys, { now: clock.now(), limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredRates, { limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredAttempts, { limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredSecurityEvents, { now: clock.now(), limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredRequests, { now: clock.now(), limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredDeliveries, { limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredListeners, { limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredTriggerKeys, { now: clock.now(), limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredListCursors, { now: clock.now(), limit: chunk }));
    await settleAll(this.#parts, () => this.isAccepting);
    await this.#sweepGrants();
    await this.#repeat(() => database.run(expireFiles, { now: clock.now(), limit: chunk }));
    await this.#repeat(() => blobs.sweep(), 1);
    await this.#reconcile();
    return false;
  }

  /** Sweeps in batches until one is not full or the sweeper stops. */
  async #repeat(sweepPiece: () => Promise<number>, full = chunk): Promise<void> {
    while (this.isAccepting && (await sweepPiece()) >= full);
  }

  async #sweepGrants(): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    await this.#repeat(() => database.run(deleteExpiredPasswordLinks, { now, limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredPendingSignIns, { now, limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredSessions, { now, limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredDevices, { now, limit: chunk }));
    await this.#repeat(() => database.run(deleteExpiredGrants, { now, spentBefore: now - spentTokensMs, limit: chunk }));
  }

  async #reconcile(): Promise<void> {
    const { clock, workspaces } = this.#parts;
    if (clock.monotonic() - this.#reconciledAt < reconcileEveryMs) return;
    this.#reconciledAt = clock.monotonic();
    await reconcileStorage(this.#parts, await workspaces.list(), () => this.isAccepting);
  }
}
