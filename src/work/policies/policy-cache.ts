import type { Clock } from '@errand/base/clock.ts';
import { RecentReads } from '@errand/base/load/recent-reads.ts';
import type { Policy } from '../../rules/policies/policy.ts';
import { teamKeyOf, type TeamTask } from '../../rules/tasks/task-config.ts';
import type { Database } from '../../store/db/database.ts';
import { findPolicies } from '../../store/policies/policies.ts';

/** A changed policy applies at the latest after this time. */
const freshMs = 1000;

/** The policies that apply to the calls of tasks, read at most once a second for each task, and for each account that is in no team. */
export class PolicyCache {
  readonly #database: Database;
  readonly #recent: RecentReads<readonly Policy[]>;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#recent = new RecentReads(clock, freshMs);
  }

  find(task: TeamTask, projectId: string | null): Promise<readonly Policy[]> {
    const { accountId, taskId } = task;
    return this.#recent.read(teamKeyOf(task, projectId), () =>
      this.#database.run(findPolicies, { accountId, taskId, projectId }),
    );
  }
}
