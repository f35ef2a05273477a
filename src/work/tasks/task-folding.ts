import { emptyState, foldAll, type TaskState } from '../../rules/tasks/task-state.ts';
import type { Database } from '../../store/db/database.ts';
import { readLog } from '../../store/events/events.ts';
import type { ClaimedTask } from '../../store/tasks/task-claims.ts';
import type { StateCache } from './state-cache.ts';

const pageLength = 500;

interface TaskId {
  accountId: string;
  taskId: string;
}

/** All logged events of a task after `state`, folded. */
export async function catchUp(database: Database, { accountId, taskId }: TaskId, state: TaskState): Promise<TaskState> {
  let current = state;
  for (;;) {
    const page = await database.run(readLog, { accountId, taskId, afterSeq: current.seq, limit: pageLength });
    current = foldAll(page, current);
    if (page.length < pageLength) return current;
  }
}

/**
 * The same from a state that may be of another log, because the database was restored from a copy: null then. Its last event is read
 * again to prove that it is not; times in a log only grow, so one that was written anew has another.
 */
async function resume(database: Database, task: TaskId, state: TaskState): Promise<TaskState | null> {
  const { accountId, taskId } = task;
  const page = await database.run(readLog, { accountId, taskId, afterSeq: state.seq - 1, limit: pageLength });
  const [last, ...tail] = page;
  if (last?.seq !== state.seq || last.atMs !== state.lastAtMs) return null;
  const current = foldAll(tail, state);
  return page.length < pageLength ? current : catchUp(database, task, current);
}

/** The state of a task that was just claimed, for as few events read and folded as possible. */
export async function foldClaimed(task: ClaimedTask, database: Database, cache: StateCache): Promise<TaskState> {
  if (task.events) return foldAll(task.events);
  // After a crash, nothing is trusted but the log.
  const known = task.crashes === 0 ? cache.find(task) : null;
  return (known && (await resume(database, task, known))) ?? catchUp(database, task, emptyState);
}
