import { Fault } from '@errand/base/fault.ts';
import { defaultSettings } from '../../rules/tasks/task-settings.ts';
import { preparedEvents } from '../../rules/tasks/task-command.ts';
import { deleteArtifacts } from '../artifacts/artifacts.ts';
import { releaseBlobs } from '../blobs/blob-references.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { clockRow, taskRow } from '../db/shared-rows.ts';
import { type Row, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';
import { deleteInboxTraces } from '../events/inbox-traces.ts';
import { insertEvents } from '../events/events.ts';
import { announceTask } from '../events/task-log.ts';
import type { TaskKey } from '../events/task-key.ts';
import { deleteDeliveries } from '../webhooks/delivery-queue.ts';
import { deleteMappedRows } from './mapped-rows.ts';
import { deleteRequestBodies } from '../requests/kept-requests.ts';
import { findDescendants } from './subtasks.ts';
import { lockTask, removeTask } from './tasks.ts';
import { clearWorkspaceSave } from './workspace-saves.ts';

const eventBody = tableCodec('events', { body: text });

/** The settings in a log, without its messages. */
function* readSettings(accountId: string, taskId: string) {
  const rows: Row[] = yield* selectAll(
    "SELECT body FROM events WHERE account_id = ? AND task_id = ? AND type = 'equipped' ORDER BY seq",
    accountId,
    taskId,
  );
  return defaultSettings(rows.map((row) => JSON.parse(eventBody.body(row)) as Record<string, unknown>));
}

function refuseOthers(rows: readonly Row[], main: Row): void {
  if (taskRow.task_type(main) !== 'agent_main') {
    throw new Fault('failed_precondition', 'Only the main task of an agent can be emptied; delete this task instead.');
  }
  if (rows.some((row) => taskRow.status(row) === 'running')) {
    throw new Fault('failed_precondition', 'The task or one of its subtasks is running; stop it first, then empty it.');
  }
}

/**
 * Empties the main task of an agent: its log, files, artifacts, copies, and subtasks are deleted; its id, title, and settings stay. The
 * numbers of its events continue, so that no reader takes a new event for one it has read. Returns the generation of its empty workspace.
 */
export const clearTask: StoreOperation<TaskKey & { now: number }, { taskId: string; generation: number }> = {
  name: 'tasks.clear',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(key) {
    const { accountId, taskId, now } = key;
    const row = yield* lockTask(key);
    const subtasks = yield* findDescendants(accountId, taskId);
    refuseOthers([...subtasks, row], row);
    const events = preparedEvents(yield* readSettings(accountId, taskId));
    for (const one of subtasks) yield removeTask(one);
    const generation = yield* clearWorkspaceSave(accountId, taskId, clockRow.now(row));
    const firstSeq = taskRow.last_seq(row) + 1;
    const firstAt = Math.max(now, taskRow.last_event_at(row) + 1);
    yield [
      ...releaseBlobs(accountId, `task:${taskId}`),
      ...deleteArtifacts({ accountId, taskId }),
      ...deleteInboxTraces({ accountId, taskId }),
      sql('DELETE FROM events WHERE account_id = ? AND task_id = ?', accountId, taskId),
      sql('DELETE FROM folded_states WHERE account_id = ? AND task_id = ?', accountId, taskId),
      deleteMappedRows({ accountId, taskId }),
      deleteRequestBodies(accountId, taskId),
      deleteDeliveries(accountId, taskId),
      sql(
        `UPDATE tasks SET status = 'stopped', last_seq = ?, last_event_at = ?, updated_at = ?, wake_at = NULL, lease_owner = NULL,
           crashes = 0, fence = fence + 1, session_cost = 0, open_cost = 0, budget_retry_at = NULL, decision_due_at = NULL,
           stopped_by_user = 0
         WHERE account_id = ? AND id = ?`,
        firstSeq + events.length - 1,
        firstAt + events.length - 1,
        now,
        accountId,
        taskId,
      ),
      insertEvents(accountId, taskId, firstSeq, firstAt, events),
    ];
    return { taskId, generation };
  },
  announce: ({ taskId }) => [...announceTask(taskId), { topic: 'deleted' }],
};
