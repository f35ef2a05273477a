import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Workspaces } from '@errand/sandbox/workspaces';

/** Longer than any sandbox lives that has one mounted. */
const unusedMs = 25 * 60 * 60 * 1000;

/** Removes what setup scripts have made if no task has used it here for a day: whoever needs it next unpacks it again. */
export async function removeUnusedSetups({
  folders,
  clock,
  log,
}: {
  folders: Workspaces;
  clock: Clock;
  log: Log;
}): Promise<void> {
  for (const { accountId, taskId: name } of await folders.list()) {
    try {
      await folders.removeStale(accountId, name, 1, clock.now() - unusedMs);
    } catch (error) {
      log.warn({ err: error, folder: name }, 'what a setup script has made could not be removed; it is tried again later');
    }
  }
}
