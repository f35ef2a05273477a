import type { Log } from '@errand/base/log.ts';
import { Fault } from '@errand/base/fault.ts';
import type { WorkspaceQuota } from '@errand/sandbox/workspace';
import { addUse, describeUse, isAbove, limitOf, type StorageLimits, type StorageUse } from '../../rules/files/storage-quota.ts';
import { type AccountStorage, readWorkspaceUse, recordWorkspaceUse, totalUse } from '../../store/blobs/storage-use.ts';
import type { Database } from '../../store/db/database.ts';

/** Smaller changes are left to the sweeper. */
const leastChange: StorageUse = { bytes: 1024 * 1024, files: 64 };
/** After tools have written this much, the workspace is measured. */
const unmeasured: StorageUse = { bytes: 32 * 1024 * 1024, files: 1000 };
/** Workspaces with changes that are not recorded yet; more are left to the sweeper. */
const mostChanging = 10_000;

/** A workspace whose size differs from its record. */
interface Changing {
  accountId: string;
  recorded: StorageUse;
  now: StorageUse;
}

export interface WorkspaceQuotasParts {
  database: Database;
  limits: StorageLimits;
  log: Log;
  /** Null where sizes cannot be measured. */
  measure(accountId: string, taskId: string): Promise<StorageUse | null>;
}

function subtract(one: StorageUse, other: StorageUse): StorageUse {
  return { bytes: one.bytes - other.bytes, files: one.files - other.files };
}

/**
 * Keeps the workspaces of tasks within the storage of their task and account. Records say what an account stores; what the tasks of this
 * process have changed since is added to that, so that commands that run together cannot exceed it together.
 */
export class WorkspaceQuotas {
  readonly #parts: WorkspaceQuotasParts;
  readonly #changing = new Map<string, Changing>();
  /** What accounts with such workspaces store, as last recorded, and their quotas. */
  readonly #stored = new Map<string, AccountStorage>();
  readonly #text: string;

  constructor(parts: WorkspaceQuotasParts) {
    this.#parts = parts;
    const { task, account } = parts.limits;
    this.#text = `the workspace would hold more than ${describeUse(task)}, or those of the account more than ${describeUse(account)} with its other files`;
  }

  /** The quota of one workspace. */
  of(accountId: string, taskId: string): WorkspaceQuota {
    const { bytes, files } = this.#parts.limits.task;
    return {
      limit: { bytes, entries: files },
      text: this.#text,
      prepare: async () => {
        await this.#open(accountId, taskId);
      },
      allows: ({ bytes: now, entries }) => this.#allows(taskId, { bytes: now, files: entries }),
      settle: () => this.#settle(accountId, taskId),
      claim: (wanted, wantedFiles) => this.#claim(accountId, taskId, { bytes: wanted, files: wantedFiles }),
    };
  }

  async #open(accountId: string, taskId: string): Promise<Changing> {
    const { workspace, account } = await this.#parts.database.run(readWorkspaceUse, { accountId, taskId });
    this.#stored.set(accountId, account);
    const known = this.#changing.get(taskId);
    const changing = known ?? { accountId, recorded: workspace, now: workspace };
    this.#changing.set(taskId, changing);
    if (this.#changing.size > mostChanging) this.#drop(this.#changing.keys().next().value ?? taskId);
    return changing;
  }

  #drop(taskId: string): void {
    const accountId = this.#changing.get(taskId)?.accountId ?? '';
    this.#changing.delete(taskId);
    if (!this.#changing.values().some((other) => other.accountId === accountId)) this.#stored.delete(accountId);
  }

  #isFull(accountId: string): boolean {
    const stored = this.#stored.get(accountId);
    if (!stored) return false;
    let use = totalUse(stored);
    for (const { accountId: owner, recorded, now } of this.#changing.values()) {
      if (owner === accountId) use = addUse(use, subtract(now, recorded));
    }
    return isAbove(use, limitOf(this.#parts.limits.account, stored.quotas));
  }

  #allows(taskId: string, now: StorageUse): boolean {
    const changing = this.#changing.get(taskId);
    if (!changing) return true;
    changing.now = now;
    // One that is too large may be cleaned up, but not grow.
    const hasGrown = isAbove(now, addUse(changing.recorded, leastChange));
    return !hasGrown || !(isAbove(now, this.#parts.limits.task) || this.#isFull(changing.accountId));
  }

  async #settle(accountId: string, taskId: string): Promise<void> {
    const changing = this.#changing.get(taskId);
    if (!changing) return;
    const { recorded, now } = changing;
    const change = subtract(now, recorded);
    const isSmall = Math.abs(change.bytes) < leastChange.bytes && Math.abs(change.files) < leastChange.files;
    try {
      if (!isSmall)
        this.#stored.set(accountId, await this.#parts.database.run(recordWorkspaceUse, { accountId, taskId, ...now }));
    } catch (error) {
      this.#parts.log.warn({ err: error, task_id: taskId }, 'the size of a workspace could not be recorded; the sweeper will');
    }
    this.#drop(taskId);
  }

  async #claim(accountId: string, taskId: string, wanted: StorageUse): Promise<void> {
    const changing = this.#changing.get(taskId) ?? (await this.#open(accountId, taskId));
    changing.now = addUse(changing.now, wanted);
    const isTooMuch = () => isAbove(changing.now, this.#parts.limits.task) || this.#isFull(accountId);
    if (!isTooMuch() && !isAbove(subtract(changing.now, changing.recorded), unmeasured)) return;
    // Replaced files were counted twice.
    const measured = await this.#parts.measure(accountId, taskId);
    if (measured) changing.now = addUse(measured, wanted);
    const isRefused = isTooMuch();
    if (isRefused) changing.now = subtract(changing.now, wanted);
    await this.#settle(accountId, taskId);
    if (isRefused) throw new Fault('resource_exhausted', `Not written, because ${this.#text}; remove what is not needed.`);
  }
}
