import { listUnnamedTasks, nameTasks } from '../../../store/accounts/unnamed-tasks.ts';
import type { Context } from '../../contract/operation.ts';

/** How many tasks one transaction names: some milliseconds on both databases. */
const step = 500;

/**
 * Names the current team in the tasks of an account that is about to leave it; empty for no team. Not part of the request's write: it
 * changes what no caller can see, and only makes that write short.
 */
export async function nameTasksBefore(accountId: string, teamId: string, { read: run }: Pick<Context, 'read'>): Promise<void> {
  for (let afterId = ''; ; ) {
    const taskIds = await run(listUnnamedTasks, { accountId, afterId, limit: step });
    if (taskIds.length > 0) await run(nameTasks, { accountId, teamId, taskIds });
    if (taskIds.length < step) return;
    afterId = taskIds.at(-1) ?? '';
  }
}
