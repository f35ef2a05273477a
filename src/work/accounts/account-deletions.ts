import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import {
  deleteAccountRows,
  endAccountDeletion,
  endDeletionWatch,
  listAccountDeletions,
} from '../../store/accounts/account-deletion.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';

const chunk = 500;
/** Requests that had begun before a deletion end within this time, most of them at once. */
const watchEveryMs = 10 * 60 * 1000;

/** What accounts have in the data folder of this machine. */
export interface AccountFolders {
  /** Removes it all. Rejects where something is still being written; a later try removes the rest. */
  remove(accountId: string): Promise<void>;
}

export interface AccountDeletionsParts {
  database: Database;
  blobs: Pick<Blobs, 'sweep'>;
  folders: AccountFolders;
  clock: Clock;
  log: Log;
}

/** Carries out the deletions of accounts, step by step; what a killed process began, the next one continues. */
export class AccountDeletions {
  readonly #parts: AccountDeletionsParts;
  /** When this process last looked after an account that is gone, on the monotonic clock. */
  readonly #watched = new Map<string, number>();

  constructor(parts: AccountDeletionsParts) {
    this.#parts = parts;
  }

  /** One round over all deletions; true if some wait: for the sweeper, a backup, or something that is still being written. */
  async run(isGoingOn: () => boolean): Promise<boolean> {
    const { database, clock } = this.#parts;
    const { pending, done } = await database.run(listAccountDeletions, null);
    let waiting = 0;
    for (const accountId of pending) {
      await this.#attempt(accountId, async () => {
        waiting += 1;
        if (isGoingOn() && (await this.#delete(accountId, isGoingOn))) waiting -= 1;
      });
    }
    const before = clock.monotonic() - watchEveryMs;
    for (const accountId of done) {
      if (!isGoingOn() || (this.#watched.get(accountId) ?? Number.NEGATIVE_INFINITY) > before) continue;
      await this.#attempt(accountId, async () => {
        await this.#empty(accountId, isGoingOn);
        this.#watched.set(accountId, clock.monotonic());
      });
    }
    for (const accountId of this.#watched.keys()) if (!done.includes(accountId)) this.#watched.delete(accountId);
    if (done.length > 0) await database.run(endDeletionWatch, { limit: chunk });
    return waiting > 0;
  }

  /** One account must not keep the others from it. */
  async #attempt(accountId: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#parts.log.warn({ err: error, account_id: accountId }, 'an account could not be deleted yet; it is tried again');
    }
  }

  /** Whether nothing is left but the account itself. */
  async #empty(accountId: string, isGoingOn: () => boolean): Promise<boolean> {
    const { database, blobs, folders } = this.#parts;
    while (isGoingOn()) {
      const state = await database.run(deleteAccountRows, { accountId, limit: chunk });
      if (state === 'kept') return false;
      if (state === 'clear') {
        await folders.remove(accountId);
        return true;
      }
      // While a backup runs nothing is swept.
      if (state === 'blobs' && (await blobs.sweep()) === 0) return false;
    }
    return false;
  }

  /** Whether it is done. */
  async #delete(accountId: string, isGoingOn: () => boolean): Promise<boolean> {
    const { database, clock, log } = this.#parts;
    if (!(await this.#empty(accountId, isGoingOn))) return false;
    if (!(await database.run(endAccountDeletion, { accountId }))) return false;
    this.#watched.set(accountId, clock.monotonic());
    log.info({ account_id: accountId }, 'an account and everything of it was deleted');
    return true;
  }
}
