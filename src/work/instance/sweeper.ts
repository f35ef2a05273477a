import type { Clock, Timer } from '@errand/base/clock.ts';
import { deletedKey } from '@errand/base/signals/hints.ts';
import type { Log } from '@errand/base/log.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import { oauthLifetimes } from '../../rules/oauth/oauth-policy.ts';
import type { WorkspaceOwner, Workspaces } from '@errand/sandbox/workspace/workspaces.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import { deleteExpiredAttempts } from '../../store/accounts/sign-in-attempts.ts';
import { deleteExpiredDeliveries } from '../../store/webhooks/delivery-log.ts';
import { expireFiles } from '../../store/files/files.ts';
import { deleteExpiredListCursors } from '../../store/artifacts/artifact-list-cursors.ts';
import { deleteExpiredKeys } from '../../store/db/idempotency-keys.ts';
import { findMissingTasks } from '../../store/tasks/missing-tasks.ts';
import { deleteExpiredDevices } from '../../store/oauth/oauth-devices.ts';
import { deleteExpiredGrants } from '../../store/oauth/oauth-grants.ts';
import { deleteExpiredSessions } from '../../store/accounts/sessions.ts';
import { deleteExpiredRates } from '../../store/instance/rate-limit-leases.ts';
import { deleteExpiredSecurityEvents } from '../../store/accounts/security-events.ts';
import { settleAll } from '../credits/credit-settling.ts';

const everyMs = 10 * 60 * 1000;
/** Deletions of this long are swept together. */
const gatherMs = 2000;
const chunk = 256;
/** Longer than any refresh token lives, so that one which is used again is known for what it is. */
const spentTokensMs = 2 * oauthLifetimes.refreshMs;

export interface SweeperParts {
  database: Database;
  workspaces: Workspaces;
  blobs: Pick<Blobs, 'sweep'>;
  clock: Clock;
  log: Log;
}

/** Removes what nothing refers to any more: workspaces of deleted tasks, uploads whose time is over, unneeded blobs, old idempotency keys, grants and sessions that ran out. */
export class Sweeper implements Service {
  readonly name = 'sweeper';
  readonly #parts: SweeperParts;
  #timer: Timer | undefined;
  #soonTimer: Timer | undefined;
  #unsubscribe: (() => void) | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #isSweepWaiting = false;
  #isOn = false;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  start(): Promise<void> {
    if (this.#isOn) return Promise.resolve();
    this.#isOn = true;
    this.#unsubscribe = this.#parts.database.hints.subscribe(deletedKey, () => {
      this.#soonTimer ??= this.#parts.clock.setTimer(() => this.#sweepNow(), gatherMs);
    });
    this.#soonTimer = this.#parts.clock.setTimer(() => this.#sweepNow(), gatherMs);
    return Promise.resolve();
  }

  #sweepNow(): void {
    this.#soonTimer = undefined;
    this.#timer?.cancel();
    this.#timer = this.#parts.clock.setTimer(() => this.#sweepNow(), everyMs);
    // One waits at most: it will see everything that those it stands for would have seen.
    if (this.#isSweepWaiting) return;
    this.#isSweepWaiting = true;
    this.#sweeping = this.#sweeping.then(() => {
      this.#isSweepWaiting = false;
      return this.#sweep();
    });
  }

  async #sweep(): Promise<void> {
    try {
      await this.#sweepWorkspaces();
      const { database, clock, blobs } = this.#parts;
      while (this.#isOn && (await database.run(deleteExpiredKeys, { now: clock.now(), limit: chunk })) === chunk);
      while (this.#isOn && (await database.run(deleteExpiredRates, { limit: chunk })) === chunk);
      while (this.#isOn && (await database.run(deleteExpiredAttempts, { limit: chunk })) === chunk);
      while (this.#isOn && (await database.run(deleteExpiredSecurityEvents, { now: clock.now(), limit: chunk })) === chunk);
      while (this.#isOn && (await database.run(deleteExpiredDeliveries, { limit: chunk })) === chunk);
      while (this.#isOn && (await database.run(deleteExpiredListCursors, { now: clock.now(), limit: chunk })) === chunk);
      await settleAll(this.#parts, () => this.#isOn);
      await this.#sweepGrants();
      while (this.#isOn && (await database.run(expireFiles, { now: clock.now(), limit: chunk })) === chunk);
      while (this.#isOn && (await blobs.sweep()) > 0);
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'sweeping failed; it is tried again later');
    }
  }

  async #sweepGrants(): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    while (this.#isOn && (await database.run(deleteExpiredSessions, { now, limit: chunk })) === chunk);
    while (this.#isOn && (await database.run(deleteExpiredDevices, { now, limit: chunk })) === chunk);
    while (
      this.#isOn &&
      (await database.run(deleteExpiredGrants, { now, spentBefore: now - spentTokensMs, limit: chunk })) >= chunk
    );
  }

  async #sweepWorkspaces(): Promise<void> {
    const { database, workspaces } = this.#parts;
    const kept = await workspaces.list();
    for (let at = 0; at < kept.length && this.#isOn; at += chunk) {
      const missing = await database.run(findMissingTasks, kept.slice(at, at + chunk));
      for (const owner of missing) await this.#removeWorkspace(owner);
    }
  }

  /** A folder that cannot be removed now (a tool still writes into it) must not keep the others. */
  async #removeWorkspace({ accountId, taskId }: WorkspaceOwner): Promise<void> {
    try {
      await this.#parts.workspaces.remove(accountId, taskId);
    } catch (error) {
      this.#parts.log.warn({ err: error, task_id: taskId }, 'a workspace could not be removed; it is tried again later');
    }
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    this.#unsubscribe?.();
    this.#timer?.cancel();
    this.#soonTimer?.cancel();
    this.#timer = undefined;
    this.#soonTimer = undefined;
    await this.#sweeping;
  }
}
