import type { Log } from '@errand/base/log.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';

/** Logs a turn that these events have ended with an error in the service's log, without its content. */
export function logFailedTurn(log: Pick<Log, 'warn'>, { accountId, taskId }: Lease, events: readonly TaskEvent[]): void {
  if (!events.some(({ type }) => type === 'failed')) return;
  const error = events.findLast((event) => event.type === 'error');
  log.warn({ account_id: accountId, task_id: taskId, error_type: error?.errorType ?? 'unknown' }, 'a turn failed');
}
