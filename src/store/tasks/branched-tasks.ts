import { Fault } from '@errand/base/fault.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { addBlobReferences } from '../blobs/blob-references.ts';
import { checkCredits, type CreditDemand } from '../credits/credit-checks.ts';
import { lockRow, rowOf, type Script, type StoreOperation } from '../db/store-operation.ts';
import { taskRow } from '../db/shared-rows.ts';
import { taskNotFound } from '../events/task-key.ts';
import { announceNew } from '../events/task-log.ts';
import { readTask, type TaskRecord } from './task-record.ts';
import { freshMarks, insertTask, type NewTask } from './task-row.ts';

export interface BranchTaskArgs extends Omit<NewTask, 'teamId'> {
  /** The task whose conversation it is. */
  sourceId: string;
  /** The conversation that the new task begins with. */
  events: readonly TaskEvent[];
  /** The blobs that these events refer to. */
  blobIds: readonly string[];
  /** What the account must be able to pay for the work to start; absent if credits are not enforced. */
  creditDemand: CreditDemand | null;
}

/** The team of the task, which is locked: a switch waits, and then names its team in both tasks or in none. */
function* readTeam({ accountId, sourceId }: BranchTaskArgs): Script<string | null> {
  const source = yield* lockRow('team_id', 'tasks', { account_id: accountId, id: sourceId });
  if (!source) throw taskNotFound();
  return taskRow.team_id(source);
}

/**
 * Creates a task that begins with the conversation of another one, whose files stay as long as the new task does. It belongs to the team of
 * that task, so that the conversation continues with the same policies and skills. Throws 404 if that task was deleted meanwhile.
 */
export const branchTask: StoreOperation<BranchTaskArgs, TaskRecord> = {
  name: 'tasks.branch',
  access: 'write',
  keys: ({ sourceId, taskId }) => [sourceId, taskId],
  *run(args) {
    const { accountId, taskId, events, blobIds, creditDemand } = args;
    const teamId = yield* readTeam(args);
    if (creditDemand) yield* checkCredits(accountId, creditDemand);
    const { row, statements } = insertTask({ ...args, teamId }, events);
    yield statements;
    if (!(yield* addBlobReferences(accountId, blobIds, `task:${taskId}`))) {
      throw new Fault('not_found', 'task_id: a file of its conversation was deleted meanwhile');
    }
    return readTask(rowOf({ ...row, ...freshMarks, api_key_name: null, budget: null }));
  },
  announce: announceNew,
};
