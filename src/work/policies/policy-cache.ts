import type { Clock } from '@errand/base/clock.ts';
import type { Policy } from '../../rules/policies/policy.ts';
import type { Database } from '../../store/db/database.ts';
import { findPolicies } from '../../store/policies/policies.ts';

/** A changed policy applies at the latest after this time. */
const freshMs = 1000;

interface Entry {
  readAt: number;
  policies: Promise<readonly Policy[]>;
}

export interface PolicyTask {
  accountId: string;
  taskId: string;
  /** Whether its account was in a team when the task was claimed; absent if that is unknown. */
  hasTeams?: boolean;
}

/** The policies that apply to the calls of tasks, read at most once a second for each task, and for each account that is in no team. */
export class PolicyCache {
  readonly #database: Database;
  readonly #clock: Clock;
  /** Policies in the order in which they were read. */
  readonly #entries = new Map<string, Entry>();

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  find({ accountId, taskId, hasTeams }: PolicyTask, projectId: string | null): Promise<readonly Policy[]> {
    this.#dropStale();
    const key = `${hasTeams === false ? accountId : taskId} ${projectId ?? ''}`;
    const known = this.#entries.get(key);
    if (known) return known.policies;
    const policies = this.#database.run(findPolicies, { accountId, taskId, projectId });
    const entry = { readAt: this.#clock.monotonic(), policies };
    this.#entries.set(key, entry);
    // What failed is read again by the next call.
    policies.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return policies;
  }

  #dropStale(): void {
    const now = this.#clock.monotonic();
    for (const [key, { readAt }] of this.#entries) {
      if (now - readAt < freshMs) return;
      this.#entries.delete(key);
    }
  }
}
