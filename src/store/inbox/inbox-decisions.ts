import { Fault, invalidField } from '@errand/base/fault.ts';
import type { CreditPrice } from '../../rules/credits/credit-price.ts';
import type { UserMessage } from '../../rules/events/task-event.ts';
import type { Decider } from '../../rules/inbox/decider.ts';
import { signMessage } from '../../rules/tasks/task-command.ts';
import { readInboxEvent } from '../../rules/inbox/inbox-item.ts';
import type { CreditDemand } from '../credits/credit-checks.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import { findRow, insertRow, type Row, type Script, sql, type StoreOperation } from '../db/store-operation.ts';
import { readEvent } from '../events/events.ts';
import { findOpenItem, keepDecision, type OpenItem } from '../events/kept-decisions.ts';
import { findShared, type TaskKey } from '../events/task-key.ts';
import { announceDue } from '../events/task-log.ts';
import { confirmAction } from '../tasks/confirmations.ts';
import { decideBudget } from './budget-decisions.ts';
import { queueNotice } from '../notifications/notification-queue.ts';
import { checkTeammate } from '../tasks/people/assignees.ts';
import { messageTask, lockTask } from '../tasks/tasks.ts';

const assignmentRow = tableCodec('inbox_assignments', { assignee: text });

/** An item by its task and event. */
export interface InboxKey {
  /** The account of the caller. */
  accountId: string;
  taskId: string;
  seq: number;
}

export function itemNotFound(): Fault {
  return new Fault('not_found', 'inbox item not found');
}

function isOver(): Fault {
  return new Fault('conflict', 'This was decided already, or the task has continued without it.', { isAlreadyThere: true });
}

/**
 * The task of an item that the caller may decide: an own one, or a teammate's that shares it and has assigned the item to the caller, or
 * handed the task over.
 */
function* findOwnTask({ accountId, taskId, seq }: InboxKey): Script<TaskKey> {
  const own = { accountId, taskId };
  if (yield* findRow('id', 'tasks', { account_id: accountId, id: taskId })) return own;
  const shared = yield* findShared(own);
  if (!shared) throw itemNotFound();
  const row = yield* findRow('assignee', 'inbox_assignments', { account_id: shared.accountId, task_id: taskId, seq });
  if (row && assignmentRow.assignee(row) === accountId) return { accountId: shared.accountId, taskId };
  const task = yield* findRow('assignee', 'tasks', { account_id: shared.accountId, id: taskId });
  if (task && taskRow.assignee(task) === accountId) return { ...shared, assignedToId: accountId };
  throw new Fault('permission_denied', 'Only the owner of the task, or whom they assign it to, can decide this.');
}

/** The task of an item that the caller may decide, in the account that pays for it. */
export const findItemTask: StoreOperation<InboxKey, TaskKey> = {
  name: 'inbox.findTask',
  access: 'read',
  run: findOwnTask,
};

interface WaitingItem extends OpenItem {
  task: Row;
}

/** The item if the task still waits for it; the task is locked. */
function* lockItem(key: TaskKey, seq: number): Script<WaitingItem> {
  const task = yield* lockTask(key);
  const row = yield* findRow('seq, at, type, body', 'events', { account_id: key.accountId, task_id: key.taskId, seq });
  if (!row || !readInboxEvent(readEvent(row).event)) throw itemNotFound();
  const item = yield* findOpenItem(task);
  if (item?.seq !== seq) throw isOver();
  return { ...item, task };
}

export interface DecideArgs extends InboxKey {
  accept: boolean | null;
  /** The answer as a message; null for none. */
  message: UserMessage | null;
  /** A message that continues a failed task without an answer. */
  retryMessage: UserMessage;
  input: Readonly<Record<string, unknown>> | null;
  note: string | null;
  /** What a credit is worth, for a budget that is raised by an amount of money. */
  price: CreditPrice;
  decider: Decider;
  now: number;
  grantedConnectors: readonly string[] | null;
  creditDemand: CreditDemand | null;
}

function needsAnswer(): Fault {
  return invalidField('answer', 'is required to answer a question');
}

/** Passes the decision on to the task, as the operations of tasks would. Returns whether the task continues. */
function* apply(key: TaskKey, { type, task, event }: WaitingItem, args: DecideArgs): Script<boolean> {
  const { now, accept, message, creditDemand, grantedConnectors, seq, decider } = args;
  const send = (words: UserMessage) =>
    messageTask.run({
      ...{ ...key, now, profile: null, creditDemand },
      message: signMessage(words, key.accountId, args.accountId),
    });
  if (type === 'question') {
    if (!message) throw needsAnswer();
    yield* send(message);
    return true;
  }
  if (type === 'failure') {
    if (accept === null && !message) throw invalidField('accept', 'is required: true tries again, false dismisses the failure');
    if (accept === false && message) throw invalidField('answer', 'goes nowhere with accept: false, which dismisses the failure');
    if (accept === false) return false;
    yield* send(message ?? args.retryMessage);
    return true;
  }
  if (type === 'budget' && event.type === 'waiting') {
    if (accept === null && message) yield* send(message);
    else yield* decideBudget(task, event, { ...args, isOwner: args.accountId === key.accountId });
    return accept !== false;
  }
  const input = { ...args.input, ...(accept !== null && { accept }) };
  // The event that task.confirmAction names is the one before.
  const confirmed = yield* confirmAction.run({ ...key, now, seq: seq - 1, input, grantedConnectors, decider });
  if (confirmed.isConfirmed) {
    if (message) yield* send(message);
    return true;
  }
  if (!message) throw invalidField('accept', 'is required: true allows the action, false declines it');
  yield* send(message);
  return true;
}

/** Decides an item, once; everything that could decide it elsewhere locks the same row. */
export const decideItem: StoreOperation<DecideArgs, { taskId: string; isContinued: boolean }> = {
  name: 'inbox.decide',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    const { taskId, seq, message } = args;
    const key = yield* findOwnTask(args);
    const item = yield* lockItem(key, seq);
    yield* keepDecision(item.task, { ...args, answer: message?.text ?? null });
    const isContinued = yield* apply(key, item, args);
    return { taskId, isContinued };
  },
  announce: (_, { taskId, isContinued }) =>
    isContinued ? [...announceDue(taskId), { topic: 'budgets' }] : [{ topic: 'task', taskId }],
};

export interface AssignArgs extends InboxKey {
  /** Null takes the assignment back. */
  assignee: string | null;
  now: number;
}

/** The assignee has to see the task: it is the owner, or a member of their team with which the task is shared. */
function* checkAssignee({ accountId }: AssignArgs, assignee: string, task: WaitingItem['task']): Script<void> {
  if (assignee === accountId) return;
  yield* checkTeammate(accountId, assignee, task);
}

/** Names who should decide an item of the caller's own tasks. */
export const assignItem: StoreOperation<AssignArgs, null> = {
  name: 'inbox.assign',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    const { accountId, taskId, seq, assignee, now } = args;
    const own = yield* findRow('id', 'tasks', { account_id: accountId, id: taskId });
    if (!own && (yield* findShared({ accountId, taskId }))) {
      throw new Fault('permission_denied', 'Only the owner of the task can assign this.');
    }
    if (!own) throw itemNotFound();
    const { task } = yield* lockItem({ accountId, taskId }, seq);
    if (assignee !== null) yield* checkAssignee(args, assignee, task);
    yield [
      sql('DELETE FROM inbox_assignments WHERE account_id = ? AND task_id = ? AND seq = ?', accountId, taskId, seq),
      ...(assignee === null
        ? []
        : [
            insertRow('inbox_assignments', { account_id: accountId, task_id: taskId, seq, assignee, assigned_at: now }),
            ...(assignee === accountId
              ? []
              : [queueNotice({ accountId: assignee, kind: 'assigned', taskAccountId: accountId, taskId, seq, now })]),
          ]),
    ];
    return null;
  },
  announce: ({ taskId }) => [{ topic: 'task', taskId }, { topic: 'notifications' }],
};
