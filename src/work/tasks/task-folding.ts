import { foldVersion } from '../../rules/tasks/fold-version.ts';
import { emptyState, foldAll, type TaskState } from '../../rules/tasks/task-state.ts';
import type { Database } from '../../store/db/database.ts';
import { readFoldedState, saveFoldedState } from '../../store/events/folded-states.ts';
import { readLogPage } from '../../store/events/sized-page.ts';
import type { ClaimedTask } from '../../store/tasks/claims/task-claims.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import type { FoldedTask, StateCache } from './state-cache.ts';

/** Events after which a state is stored again, and so the most events that a process new to the task has to fold. */
const savedEvery = 256;
/** A longer state is not stored, because reading its log costs less. */
const longestBody = 4 << 20;

interface TaskId {
  accountId: string;
  taskId: string;
}

/** All logged events of a task after `state`, folded. */
export async function catchUp(database: Database, { accountId, taskId }: TaskId, state: TaskState): Promise<TaskState> {
  let current = state;
  for (;;) {
    const { events, hasMore } = await database.run(readLogPage, { accountId, taskId, afterSeq: current.seq });
    current = foldAll(events, current);
    if (!hasMore) return current;
  }
}

/**
 * Folds the rest of a log onto a stored state; null if the state is of another log, because the database was restored from a copy. To find
 * out, its last event is read again: times in a log only grow, so an event written anew has another time.
 */
async function resume(database: Database, task: TaskId, { state, savedSeq }: FoldedTask): Promise<FoldedTask | null> {
  const { accountId, taskId } = task;
  const { events, hasMore } = await database.run(readLogPage, { accountId, taskId, afterSeq: state.seq - 1 });
  const [last, ...tail] = events;
  if (last?.seq !== state.seq || last.atMs !== state.lastAtMs) return null;
  const current = foldAll(tail, state);
  return { state: hasMore ? await catchUp(database, task, current) : current, savedSeq };
}

/** Reads the stored state of a task that is new to this process. */
async function readSaved(database: Database, { accountId, taskId, lastSeq }: ClaimedTask): Promise<FoldedTask | null> {
  if (lastSeq < savedEvery) return null;
  const body = await database.run(readFoldedState, { accountId, taskId, version: foldVersion });
  const state = body === null ? null : (JSON.parse(body) as TaskState);
  return state && { state, savedSeq: state.seq };
}

/** Folds the state of a task that was just claimed, from as few events as possible. */
export async function foldClaimed(task: ClaimedTask, database: Database, cache: StateCache): Promise<FoldedTask> {
  if (task.events) return { state: foldAll(task.events), savedSeq: 0 };
  // After a crash, nothing is trusted but the log.
  const known = task.crashes === 0 ? (cache.find(task) ?? (await readSaved(database, task))) : null;
  const resumed = known && (await resume(database, task, known));
  return resumed ?? { state: await catchUp(database, task, emptyState), savedSeq: 0 };
}

/** Stores a state for other processes if much was logged since the last time; returns the event up to which it is stored. */
export async function saveFolded(database: Database, lease: Lease, { state, savedSeq }: FoldedTask): Promise<number> {
  if (state.seq - savedSeq < savedEvery) return savedSeq;
  const body = JSON.stringify(state);
  // Not tried again at every turn.
  if (body.length > longestBody) return state.seq;
  const { accountId, taskId, fence } = lease;
  const saved = { accountId, taskId, fence, version: foldVersion, seq: state.seq, body };
  // Only a shortcut: what fails is stored after a later turn.
  const isSaved = await database.run(saveFoldedState, saved).catch(() => false);
  return isSaved ? state.seq : savedSeq;
}
