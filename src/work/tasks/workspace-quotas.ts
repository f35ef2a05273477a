import type { Log } from '@errand/base/log.ts';
import { Fault } from '@errand/base/fault.ts';
import type { WorkspaceQuota } from '@errand/sandbox/workspace';
import { addUse, describeUse, isAbove, limitOf, type StorageLimits, type StorageUse } from '../../rules/files/storage-quota.ts';
import { type AccountStorage, readWorkspaceUse, recordWorkspaceUse, totalUse } from '../../store/blobs/storage-use.ts';
import type { Database } from '../../store/db/database.ts';

/** Smaller changes are left to the sweeper. */
const leastChange: StorageUse = { bytes: 1024 * 1024, files: 64 };
/** Bytes that tools may write before the workspace is measured again. After a command has run in it, its size is recorded, too. */
const unmeasured: StorageUse = { bytes: 32 * 1024 * 1024, files: 1000 };
const nothing: StorageUse = { bytes: 0, files: 0 };
/** Workspaces with changes that are not recorded yet; more are left to the sweeper. */
const mostChanging = 10_000;

/** A workspace whose size differs from its record. */
interface Changing {
  accountId: string;
  recorded: StorageUse;
  now: StorageUse;
  /** Sandboxes that are open and may change it at any time. */
  holders: number;
  /** Settles when the size of the workspace is recorded; null if nothing is in progress. */
  recording: Promise<void> | null;
}

export interface WorkspaceQuotasParts {
  database: Database;
  limits: StorageLimits;
  log: Log;
  /** Null where sizes cannot be measured. */
  measure(accountId: string, taskId: string): Promise<StorageUse | null>;
}

function isChangeAbove({ recorded, now }: Changing, least: StorageUse): boolean {
  return Math.abs(now.bytes - recorded.bytes) >= least.bytes || Math.abs(now.files - recorded.files) >= least.files;
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
      hold: () => this.#hold(accountId, taskId),
      prepare: async () => {
        await this.#open(accountId, taskId);
      },
      allows: ({ bytes: now, entries }) => this.#allows(taskId, { bytes: now, files: entries }),
      finish: () => this.#finish(taskId),
      claim: (wanted, wantedFiles) => this.#claim(accountId, taskId, { bytes: wanted, files: wantedFiles }),
      check: (wanted, wantedFiles) => this.#check(accountId, taskId, { bytes: wanted, files: wantedFiles }),
    };
  }

  async #open(accountId: string, taskId: string): Promise<Changing> {
    const { workspace, account } = await this.#parts.database.run(readWorkspaceUse, { accountId, taskId });
    this.#stored.set(accountId, account);
    const known = this.#changing.get(taskId);
    const changing = known ?? { accountId, recorded: workspace, now: workspace, holders: 0, recording: null };
    this.#changing.set(taskId, changing);
    if (this.#changing.size > mostChanging) this.#drop(this.#changing.keys().next().value ?? taskId);
    return changing;
  }

  async #hold(accountId: string, taskId: string): Promise<Disposable> {
    const changing = await this.#open(accountId, taskId);
    changing.holders += 1;
    return {
      [Symbol.dispose]: () => {
        changing.holders -= 1;
        if (this.#changing.get(taskId) === changing) this.#release(taskId, changing);
      },
    };
  }

  /** What nothing changes any more is forgotten. */
  #release(taskId: string, { holders }: Changing): void {
    if (holders === 0) this.#drop(taskId);
  }

  #drop(taskId: string): void {
    const accountId = this.#changing.get(taskId)?.accountId ?? '';
    this.#changing.delete(taskId);
    if (!this.#changing.values().some((other) => other.accountId === accountId)) this.#stored.delete(accountId);
  }

  /** Whether the account stores too much, with what else is to be written. */
  #isFull(accountId: string, more: StorageUse = nothing): boolean {
    const stored = this.#stored.get(accountId);
    if (!stored) return false;
    let use = addUse(totalUse(stored), more);
    for (const { accountId: owner, recorded, now } of this.#changing.values()) {
      if (owner === accountId) use = addUse(use, subtract(now, recorded));
    }
    return isAbove(use, limitOf(this.#parts.limits.account, stored.quotas));
  }

  #allows(taskId: string, now: StorageUse): boolean {
    const changing = this.#changing.get(taskId);
    if (!changing) return true;
    changing.now = now;
    // What runs between two commands is on record too, before its account can store much more elsewhere.
    if (changing.holders > 0 && isChangeAbove(changing, unmeasured)) void this.#keepRecorded(taskId, changing);
    // One that is too large may be cleaned up, but not grow.
    const hasGrown = isAbove(now, addUse(changing.recorded, leastChange));
    return !hasGrown || !(isAbove(now, this.#parts.limits.task) || this.#isFull(changing.accountId));
  }

  async #finish(taskId: string): Promise<void> {
    const changing = this.#changing.get(taskId);
    if (!changing) return;
    await changing.recording;
    if (isChangeAbove(changing, leastChange)) await this.#keepRecorded(taskId, changing);
    this.#release(taskId, changing);
  }

  /** Records it, one at a time. */
  #keepRecorded(taskId: string, changing: Changing): Promise<void> {
    changing.recording ??= this.#record(taskId, changing).finally(() => (changing.recording = null));
    return changing.recording;
  }

  async #record(taskId: string, changing: Changing): Promise<void> {
    const { accountId, now } = changing;
    try {
      const account = await this.#parts.database.run(recordWorkspaceUse, { accountId, taskId, ...now });
      changing.recorded = now;
      if (this.#stored.has(accountId)) this.#stored.set(accountId, account);
    } catch (error) {
      this.#parts.log.warn({ err: error, task_id: taskId }, 'the size of a workspace could not be recorded; the sweeper will');
    }
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
    await this.#finish(taskId);
    if (isRefused) throw this.#refuse();
  }

  async #check(accountId: string, taskId: string, wanted: StorageUse): Promise<void> {
    const changing = this.#changing.get(taskId) ?? (await this.#open(accountId, taskId));
    const isTooMuch = (now: StorageUse) =>
      isAbove(addUse(now, wanted), this.#parts.limits.task) ||
      this.#isFull(accountId, addUse(wanted, subtract(now, changing.now)));
    const isRefused = isTooMuch(changing.now) && isTooMuch((await this.#parts.measure(accountId, taskId)) ?? changing.now);
    if (isRefused) throw this.#refuse();
  }

  #refuse(): Fault {
    return new Fault('resource_exhausted', `Not written, because ${this.#text}; remove what is not needed.`);
  }
}
