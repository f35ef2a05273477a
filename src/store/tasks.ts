import { Fault } from '../base/fault.ts';
import type { Hint } from '../base/hints.ts';
import { creditsOf } from '../rules/pricing.ts';
import { firstEvents, messageEvents, stopEvents } from '../rules/task-command.ts';
import type { Equipment, TaskEvent, TaskStatus, UserMessage } from '../rules/task-event.ts';
import { applyEvents } from '../rules/task-status.ts';
import { findReports } from '../rules/webhook-report.ts';
import { deleteArtifacts } from './artifacts.ts';
import { checkCredits, type CreditDemand } from './credits.ts';
import { keepBlobs, releaseBlobs } from './blob-rows.ts';
import { announceDeliveries, findReceivers, forgetSent, forgetSentByApp, queueDeliveries } from './delivery-queue.ts';
import { type Operation, type Row, type Script, selectFirst, type SqlValue, type Statement, sql } from './db/operation.ts';
import { insertEvents } from './events.ts';
import { findShared, matchTask, refuseChange, type TaskKey, taskNotFound } from './task-key.ts';
import { deleteWorkspaceSave } from './workspace-saves.ts';
import { readTask, type TaskRecord, taskColumns } from './task-record.ts';
import { insertTask, type NewTask } from './task-row.ts';
import { insertSession } from './usage.ts';

export function announceTask(taskId: string): Hint[] {
  return [{ topic: 'task', taskId }];
}

export function announceDue(taskId: string): Hint[] {
  return [{ topic: 'due' }, { topic: 'task', taskId }];
}

/** The files of a message stay for as long as the task does. */
function* keepAttachments({ accountId, taskId }: TaskKey, { attachments = [] }: UserMessage): Script<void> {
  const blobIds = attachments.map(({ blobId }) => blobId);
  if (blobIds.length === 0 || (yield* keepBlobs(accountId, blobIds, `task:${taskId}`))) return;
  throw new Fault('not_found', 'message.content: a file was deleted meanwhile');
}

export interface CreateTaskArgs extends NewTask {
  message: UserMessage;
  equipment: Equipment;
  /** For work that is refused without credits. */
  creditDemand?: CreditDemand | null;
}

/** `isReported`: a webhook is to be told of it. */
export type CreatedTask = TaskRecord & { isReported: boolean };

/** A task with its first message, ready to be claimed. Its two inserts need no answer from each other. */
export const createTask: Operation<CreateTaskArgs, CreatedTask> = {
  name: 'tasks.create',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    if (args.creditDemand) yield* checkCredits(args.accountId, args.creditDemand);
    const { row, statements: inserts } = insertTask(args, firstEvents(args.message, args.equipment));
    // Webhooks are told of tasks that programs create, not of those that people do.
    const isTold = args.apiKeyId !== null || args.oauthClientId !== null;
    const [, , receivers = []] = yield [...inserts, ...(isTold ? [findReceivers(args.accountId, args.taskId)] : [])];
    const { statements, isDue } = queueDeliveries(receivers, { ...args, reports: [{ kind: 'created' }] });
    if (statements.length > 0) yield statements;
    yield* keepAttachments(args, args.message);
    return { ...readTask({ ...row, api_key_name: null }), isReported: isDue };
  },
  announce: ({ taskId }, { isReported }) => [...announceDue(taskId), ...announceDeliveries(isReported)],
};

/** A task that `key` finds, or a fault that does not tell a foreign task from a missing one. */
export const getTask: Operation<TaskKey, TaskRecord> = {
  name: 'tasks.get',
  access: 'read',
  *run(key) {
    const { where, params } = matchTask(key);
    const row = yield* selectFirst(`SELECT ${taskColumns} FROM tasks t WHERE ${where}`, ...params);
    if (!row) throw taskNotFound();
    return readTask(row);
  },
};

/** For a reader: the caller's task, or one that the caller's team may read, with the key by which it goes on being read. */
export const getReadableTask: Operation<TaskKey, TaskRecord & { key: TaskKey }> = {
  name: 'tasks.getReadable',
  access: 'read',
  *run(key) {
    const own = matchTask(key);
    const row = yield* selectFirst(`SELECT ${taskColumns} FROM tasks t WHERE ${own.where}`, ...own.params);
    if (row) return { ...readTask(row), key };
    const shared = yield* findShared(key);
    if (!shared) throw taskNotFound();
    return { ...(yield* getTask.run(shared)), key: shared };
  },
};

/** By name: a prepared `*` breaks when a newer version adds a column while this one runs. */
const lockedColumns = `account_id, id, status, title, task_type, profile, hidden, share_visibility, share_id, last_seq, last_event_at,
  session_cost, open_cost, oauth_client_id, errand_now() AS now`;

function selectLocked(key: TaskKey): Statement {
  const { where, params } = matchTask(key);
  return sql(`SELECT ${lockedColumns} FROM tasks t WHERE ${where} FOR UPDATE`, ...params);
}

/** Conversations and subtasks of agents stay (specification, "task.delete"). */
function agentTaskKept(taskType: string): Fault {
  const what = taskType === 'agent_main' ? 'The main task' : 'A subtask';
  return new Fault('failed_precondition', `${what} of an agent cannot be deleted; stop it instead.`);
}

/** The row with its lock: the first step of every command on a task. */
export function* lockTask(key: TaskKey): Script<Row> {
  const [[row] = []] = yield [selectLocked(key)];
  return row ?? (yield* refuseChange(key));
}

/** Adds a command's events to a locked task; `change` sets further columns (`name = ?`), `further` is stored with them. */
export function* logCommand(
  row: Row,
  events: readonly TaskEvent[],
  now: number,
  change: string,
  params: readonly SqlValue[],
  further: readonly Statement[] = [],
): Script<void> {
  const [accountId, taskId, seq] = [String(row.account_id), String(row.id), Number(row.last_seq)];
  const firstAt = Math.max(now, Number(row.last_event_at) + 1);
  const status = applyEvents(row.status as TaskStatus, events);
  yield [
    sql(
      `UPDATE tasks SET status = ?, last_seq = ?, last_event_at = ?, updated_at = ?, ${change} WHERE account_id = ? AND id = ?`,
      status,
      seq + events.length,
      firstAt + events.length - 1,
      now,
      ...params,
      accountId,
      taskId,
    ),
    insertEvents(accountId, taskId, seq + 1, firstAt, events),
    ...further,
  ];
}

export interface MessageTaskArgs extends TaskKey {
  now: number;
  message: UserMessage;
  /** Null keeps the task's profile. */
  profile: string | null;
  /** For work that is refused without credits. */
  creditDemand?: CreditDemand | null;
  /** What changes of what the task works with. */
  equipment?: Equipment;
}

/** A follow-up: heard by a running task before its next step, the answer for a waiting one, a new turn for one at rest. */
export const messageTask: Operation<MessageTaskArgs, { taskId: string; isWoken: boolean }> = {
  name: 'tasks.message',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    const row = yield* lockTask(args);
    if (args.creditDemand) yield* checkCredits(args.accountId, args.creditDemand);
    yield* keepAttachments(args, args.message);
    const events = messageEvents(row.status as TaskStatus, args.message, args.equipment);
    const profile = args.profile ?? String(row.profile);
    const isWoken = row.status !== 'running';
    // A session begins with the message that wakes the task.
    const change = isWoken ? 'profile = ?, wake_at = errand_now(), session_cost = 0, open_cost = 0' : 'profile = ?';
    yield* logCommand(row, events, args.now, change, [profile]);
    return { taskId: args.taskId, isWoken };
  },
  announce: ({ taskId }, { isWoken }) => (isWoken ? announceDue(taskId) : announceTask(taskId)),
};

/** The bill of a session that a command ends, with the call that is cut off by it as it was estimated; nothing for a task at rest. */
function endSession(row: Row, now: number, eventCount: number): { records: Statement[]; credits: number } {
  if (row.status !== 'running') return { records: [], credits: 0 };
  const cost = Number(row.session_cost) + Number(row.open_cost);
  const session = Number(row.last_seq) + eventCount;
  const bill = { accountId: String(row.account_id), taskId: String(row.id), session, cost, now };
  return { records: [insertSession(bill, false)], credits: creditsOf(cost) };
}

/**
 * Stops a task that is at work and takes it from its worker: with a higher fence nothing more of that worker is stored.
 * False when there was nothing to stop.
 */
export const stopTask: Operation<TaskKey & { now: number }, { isStopped: boolean; isReported: boolean }> = {
  name: 'tasks.stop',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(key) {
    const { accountId, taskId, now } = key;
    const [[found] = [], receivers = []] = yield [selectLocked(key), findReceivers(accountId, taskId)];
    const row = found ?? (yield* refuseChange(key));
    const events = stopEvents(row.status as TaskStatus);
    if (events.length === 0) return { isStopped: false, isReported: false };
    const reports = findReports(events, Number(row.last_seq) + 1);
    const { statements, isDue } = queueDeliveries(receivers, { accountId, taskId, now, title: String(row.title), reports });
    const { records, credits } = endSession(row, now, events.length);
    const change =
      'wake_at = NULL, lease_owner = NULL, crashes = 0, fence = fence + 1, session_cost = 0, open_cost = 0, credits = credits + ?';
    yield* logCommand(row, events, now, change, [credits], [...statements, ...records]);
    return { isStopped: true, isReported: isDue };
  },
  announce: ({ taskId }, { isStopped, isReported }) => [
    ...(isStopped ? announceTask(taskId) : []),
    ...announceDeliveries(isReported),
  ],
};

/**
 * Removes a task and its log for good, unless an agent needs it; what it has cost stays in the ledger. A worker that holds it finds
 * its fence gone. What webhooks have been told of it goes
 * too, and what they are still to be told goes when that is done.
 */
export const deleteTask: Operation<TaskKey, { taskId: string }> = {
  name: 'tasks.delete',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(key) {
    const { accountId, taskId } = key;
    const row = yield* lockTask(key);
    const taskType = String(row.task_type);
    if (taskType === 'agent_main' || taskType === 'agent_subtask') throw agentTaskKept(taskType);
    yield [
      ...releaseBlobs(accountId, `task:${taskId}`),
      ...deleteWorkspaceSave(accountId, taskId),
      deleteArtifacts(key),
      ...endSession(row, Number(row.now), 1).records,
      sql('DELETE FROM events WHERE account_id = ? AND task_id = ?', accountId, taskId),
      forgetSent(accountId, taskId),
      ...(row.oauth_client_id === null ? [] : [forgetSentByApp(String(row.oauth_client_id), taskId)]),
      sql('DELETE FROM tasks WHERE account_id = ? AND id = ?', accountId, taskId),
    ];
    return { taskId };
  },
  announce: ({ taskId }) => [...announceTask(taskId), { topic: 'deleted' }],
};
