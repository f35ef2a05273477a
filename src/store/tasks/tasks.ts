import { Fault } from '@errand/base/fault.ts';
import { firstEvents, messageEvents, stopEvents } from '../../rules/tasks/task-command.ts';
import type { TaskConfig, UserMessage } from '../../rules/events/task-event.ts';
import { findReports } from '../../rules/webhooks/webhook-report.ts';
import type { ReplyBudget } from '../../rules/budgets/budget.ts';
import { deleteArtifacts } from '../artifacts/artifacts.ts';
import { deleteReplyBudget, insertReplyBudget } from '../budgets/budget-rows.ts';
import { checkCredits, type CreditDemand } from '../credits/credit-checks.ts';
import { addBlobReferences, releaseBlobs } from '../blobs/blob-references.ts';
import {
  announceDeliveries,
  findReceivers,
  deleteSentDeliveries,
  deleteSentDeliveriesOfApp,
  queueDeliveries,
  selectReceivers,
} from '../webhooks/delivery-queue.ts';
import { type StoreOperation, type Row, rowOf, type Script, selectFirst, type Statement, sql } from '../db/store-operation.ts';
import type { Decider } from '../../rules/inbox/decider.ts';
import { deleteInboxTraces } from '../events/inbox-traces.ts';
import { keepDecision } from '../events/kept-decisions.ts';
import { findShared, matchTask, refuseChange, type TaskKey, taskNotFound } from '../events/task-key.ts';
import { deleteRequestBodies } from '../requests/kept-requests.ts';
import { deleteMappedRows } from './mapped-rows.ts';
import { deleteMetadata } from './task-metadata.ts';
import { deleteWorkspaceSave } from './workspace-saves.ts';
import { readTask, type TaskRecord, taskColumns } from './task-record.ts';
import { findDescendants, stopAll } from './subtasks.ts';
import {
  announceClaimed,
  announceDue,
  announceNew,
  announceTask,
  billSession,
  logCommand,
  selectLocked,
  stopChange,
  wakeChange,
} from '../events/task-log.ts';
import { followBudget } from './reply-budgets.ts';
import { type CreationSlot, freshMarks, giveBack, insertTask, type NewTask, readClaim } from './task-row.ts';
import { clockRow, taskRow } from '../db/shared-rows.ts';

/** Adds references from a task to the files of a message, which stay as long as the task. */
function* addAttachmentReferences({ accountId, taskId }: TaskKey, { attachments = [] }: UserMessage): Script<void> {
  const blobIds = attachments.map(({ blobId }) => blobId);
  if (blobIds.length === 0 || (yield* addBlobReferences(accountId, blobIds, `task:${taskId}`))) return;
  throw new Fault('not_found', 'message.content: a file was deleted meanwhile');
}

export interface CreateTaskArgs extends NewTask {
  message: UserMessage;
  taskConfig: TaskConfig;
  /** What the account must be able to pay for the work to start; absent if credits are not enforced. */
  creditDemand?: CreditDemand | null;
  /** What each of its replies may cost. */
  budget?: ReplyBudget | null;
  /** The slot of the worker that takes the task at once, unless a limit forbids it; null leaves the task due for any worker. */
  slot?: CreationSlot | null;
}

/** `isReported`: webhooks are notified. `claimedFor`: its account, if the worker with the slot has the task now. */
export type CreatedTask = TaskRecord & { isReported: boolean; claimedFor: ReturnType<typeof readClaim> };

/** Creates a task with its first message, ready to be claimed or claimed already. Its two inserts are independent of each other. */
export const createTask: StoreOperation<CreateTaskArgs, CreatedTask> = {
  name: 'tasks.create',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    if (args.creditDemand) yield* checkCredits(args.accountId, args.creditDemand);
    const { accountId, taskId, now, budget = null, slot = null } = args;
    const { traceparent = null } = args.message;
    const task = { ...args, traceparent, ...(budget && { budgetRoot: taskId }) };
    const { row, statements: inserts } = insertTask(task, firstEvents(args.message, args.taskConfig), slot);
    // Webhooks are notified of tasks that programs create, not of those that people create.
    const isReportable = args.apiKeyId !== null || args.oauthClientId !== null;
    const [[written] = []] = yield budget ? [...inserts, insertReplyBudget(accountId, taskId, budget, now)] : inserts;
    const receivers = isReportable ? yield* findReceivers(written, args.accountId, args.taskId) : [];
    const { statements, isDue } = queueDeliveries(receivers, { ...args, reports: [{ kind: 'created' }] });
    const claimedFor = slot && written ? readClaim(written) : null;
    if (slot && claimedFor === null) statements.push(giveBack(args));
    if (statements.length > 0) yield statements;
    yield* addAttachmentReferences(args, args.message);
    const record = readTask(rowOf({ ...row, ...freshMarks, api_key_name: null, budget: null }));
    return { ...record, isReported: isDue, claimedFor };
  },
  announce: (args, { isReported, claimedFor }) => [
    ...(claimedFor === null ? announceNew(args) : announceClaimed(args)),
    ...announceDeliveries(isReported),
  ],
  measure: (_, { claimedFor }) => (claimedFor === null ? [] : [{ counter: 'errand_tasks_claimed_total' }]),
};

/** The task with `key`, or a fault that does not distinguish a foreign task from a missing one. */
export const getTask: StoreOperation<TaskKey, TaskRecord> = {
  name: 'tasks.get',
  access: 'read',
  *run(key) {
    const { where, params } = matchTask(key);
    const row = yield* selectFirst(`SELECT ${taskColumns} FROM tasks t WHERE ${where}`, ...params);
    if (!row) throw taskNotFound();
    return readTask(row);
  },
};

/** Finds a task that the caller may read: the account's own, or one shared with its team. Returns the key for further reads with it. */
export const getReadableTask: StoreOperation<TaskKey, TaskRecord & { key: TaskKey }> = {
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

/** The refusal to delete conversations and subtasks of agents (docs/reference/api.md#task-delete). */
function agentTaskKept(taskType: string): Fault {
  const what = taskType === 'agent_main' ? 'The main task' : 'A subtask';
  return new Fault('failed_precondition', `${what} of an agent cannot be deleted; stop it instead.`);
}

/** Locks the row of a task, which is the first step of every command on it. */
export function* lockTask(key: TaskKey): Script<Row> {
  const [[row] = []] = yield [selectLocked(key)];
  return row ?? (yield* refuseChange(key));
}

export interface MessageTaskArgs extends TaskKey {
  now: number;
  message: UserMessage;
  /** Null keeps the task's profile. */
  profile: string | null;
  /** What the account must be able to pay for the work to start; absent if credits are not enforced. */
  creditDemand?: CreditDemand | null;
  /** Changes to the task config. */
  taskConfig?: TaskConfig;
  /** What its replies may cost from now on; null keeps what was said before. */
  budget?: ReplyBudget | null;
  /** The caller. If the task waits for a person, the message decides that item. */
  decider?: Decider;
}

/** A follow-up: a running task receives it before its next step, a waiting one as the answer, an idle one as a new turn. */
export const messageTask: StoreOperation<MessageTaskArgs, { taskId: string; isWoken: boolean }> = {
  name: 'tasks.message',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    const row = yield* lockTask(args);
    if (args.creditDemand) yield* checkCredits(args.accountId, args.creditDemand);
    yield* addAttachmentReferences(args, args.message);
    const { decider, message, now } = args;
    if (decider) yield* keepDecision(row, { decider, accept: null, answer: message.text, note: null, now });
    const events = messageEvents(taskRow.status(row), args.message, args.taskConfig);
    const profile = args.profile ?? taskRow.profile(row);
    const isWoken = taskRow.status(row) !== 'running';
    yield* logCommand(row, events, args.now, isWoken ? `profile = ?, ${wakeChange}` : 'profile = ?', [profile]);
    yield* followBudget(row, args.budget ?? null, args.now);
    return { taskId: args.taskId, isWoken };
  },
  announce: ({ taskId }, { isWoken }) => (isWoken ? announceDue(taskId) : announceTask(taskId)),
};

export interface StopTaskArgs extends TaskKey {
  now: number;
  /** The caller. If the task waits for a person, stopping it decides that item. */
  decider?: Decider;
}

export interface StoppedTask {
  isStopped: boolean;
  isReported: boolean;
  /** Descendants of the task that were also running. */
  subtaskIds: string[];
}

/**
 * Stops a running task and takes it from its worker: the fence is raised, so nothing more of that worker is stored. Its subtasks are
 * stopped with it. `isStopped` is false if there was nothing to stop.
 */
export const stopTask: StoreOperation<StopTaskArgs, StoppedTask> = {
  name: 'tasks.stop',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(key) {
    const { accountId, taskId, now, decider } = key;
    const [[found] = [], receivers = []] = yield [selectLocked(key), selectReceivers(accountId, taskId)];
    const row = found ?? (yield* refuseChange(key));
    const events = stopEvents(taskRow.status(row));
    if (events.length === 0) return { isStopped: false, isReported: false, subtaskIds: [] };
    if (decider) yield* keepDecision(row, { decider, accept: false, answer: null, note: null, now });
    const reports = findReports(events, taskRow.last_seq(row) + 1);
    const { statements, isDue } = queueDeliveries(receivers, { accountId, taskId, now, title: taskRow.title(row), reports });
    // Locked before the first bill: tasks are locked before budgets.
    const family = yield* findDescendants(accountId, taskId);
    const { records, credits } = billSession(row, now, events.length);
    yield* logCommand(row, events, now, stopChange, [credits], [...statements, ...records]);
    return { isStopped: true, isReported: isDue, subtaskIds: yield* stopAll(family, now) };
  },
  announce: ({ taskId }, { isStopped, isReported, subtaskIds }) => [
    ...(isStopped ? announceTask(taskId) : []),
    ...subtaskIds.flatMap(announceTask),
    ...announceDeliveries(isReported),
  ],
};

/** Deletes everything that belongs to one task; `row` is locked. */
export function removeTask(row: Row): Statement[] {
  const [accountId, taskId, clientId] = [taskRow.account_id(row), taskRow.id(row), taskRow.oauth_client_id(row)];
  return [
    ...releaseBlobs(accountId, `task:${taskId}`),
    ...deleteWorkspaceSave(accountId, taskId),
    ...deleteArtifacts({ accountId, taskId }),
    deleteMetadata({ accountId, taskId }),
    ...deleteInboxTraces({ accountId, taskId }),
    ...billSession(row, clockRow.now(row), 1).records,
    ...(taskRow.budget_root(row) === taskId ? [deleteReplyBudget(accountId, taskId)] : []),
    ...['events', 'folded_states', 'searched_tasks', 'searched_files'].map((table) =>
      sql(`DELETE FROM ${table} WHERE account_id = ? AND task_id = ?`, accountId, taskId),
    ),
    ...[deleteMappedRows({ accountId, taskId }), deleteRequestBodies(accountId, taskId)],
    deleteSentDeliveries(accountId, taskId),
    ...(clientId === null ? [] : [deleteSentDeliveriesOfApp(clientId, taskId)]),
    sql('DELETE FROM tasks WHERE account_id = ? AND id = ?', accountId, taskId),
  ];
}

/**
 * Deletes a task with its subtasks and its log permanently, unless an agent needs it; its cost stays in the ledger. A worker that holds it
 * finds its fence invalid. Past webhook deliveries are deleted too, pending ones once they are done.
 */
export const deleteTask: StoreOperation<TaskKey, { taskId: string }> = {
  name: 'tasks.delete',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(key) {
    const { accountId, taskId } = key;
    const row = yield* lockTask(key);
    const taskType = taskRow.task_type(row);
    if (taskType === 'agent_main' || taskType === 'agent_subtask') throw agentTaskKept(taskType);
    for (const one of [...(yield* findDescendants(accountId, taskId)), row]) yield removeTask(one);
    return { taskId };
  },
  announce: ({ taskId }) => [...announceTask(taskId), { topic: 'deleted' }],
};
