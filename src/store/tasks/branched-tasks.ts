import { Fault } from '@errand/base/fault.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { addBlobReferences } from '../blobs/blob-references.ts';
import { checkCredits, type CreditDemand } from '../credits/credit-checks.ts';
import { rowOf, type StoreOperation } from '../db/store-operation.ts';
import { announceNew } from '../events/task-log.ts';
import { readTask, type TaskRecord } from './task-record.ts';
import { freshMarks, insertTask, type NewTask } from './task-row.ts';

export interface BranchTaskArgs extends NewTask {
  /** The conversation that the new task begins with. */
  events: readonly TaskEvent[];
  /** The blobs that these events refer to. */
  blobIds: readonly string[];
  /** What the account must be able to pay for the work to start; absent if credits are not enforced. */
  creditDemand: CreditDemand | null;
}

/** Creates a task that begins with the conversation of another one, whose files stay as long as the new task does. */
export const branchTask: StoreOperation<BranchTaskArgs, TaskRecord> = {
  name: 'tasks.branch',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    const { accountId, taskId, events, blobIds, creditDemand } = args;
    if (creditDemand) yield* checkCredits(accountId, creditDemand);
    const { row, statements } = insertTask(args, events);
    yield statements;
    if (!(yield* addBlobReferences(accountId, blobIds, `task:${taskId}`))) {
      throw new Fault('not_found', 'task_id: a file of its conversation was deleted meanwhile');
    }
    return readTask(rowOf({ ...row, ...freshMarks, api_key_name: null, budget: null }));
  },
  announce: announceNew,
};
