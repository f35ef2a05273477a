import { defaultAgentId } from '../../rules/agents/default-agent.ts';
import { priorityOf } from '../../rules/limits/task-priority.ts';
import { probationCrashes } from '../../rules/tasks/crash-blame.ts';
import { firstEvents, stopEvents } from '../../rules/tasks/task-command.ts';
import type { TaskConfig, TaskStatus, UserMessage } from '../../rules/events/task-event.ts';
import { checkCreditsForAgents, type CreditDemand } from '../credits/credit-checks.ts';
import { type StoreOperation, type Row, type Script, selectAll, selectFirst, lockRow } from '../db/store-operation.ts';
import type { Lease } from './task-leases.ts';
import { announceNew, billSession, lockedColumns, logCommand, stopChange } from '../events/task-log.ts';
import { insertTask } from './task-row.ts';
import { startWorkspaceSave } from './workspace-saves.ts';
import { taskRow } from '../db/shared-rows.ts';

export interface SubtaskKey {
  accountId: string;
  parentId: string;
  taskId: string;
}

/** The state of a subtask; null if this parent has none with this id. */
export const findSubtask: StoreOperation<SubtaskKey, TaskStatus | null> = {
  name: 'subtasks.find',
  access: 'read',
  *run({ accountId, parentId, taskId }) {
    const text = 'SELECT status FROM tasks WHERE account_id = ? AND id = ? AND parent_id = ?';
    const row = yield* selectFirst(text, accountId, taskId, parentId);
    return row ? taskRow.status(row) : null;
  },
};

const listed = taskRow.pick('id, title, status, stopped_by_user as isStoppedByUser');
export type ListedSubtask = ReturnType<typeof listed.read>;

/** The direct subtasks of a task. */
export const listSubtasks: StoreOperation<{ accountId: string; parentId: string; limit: number }, ListedSubtask[]> = {
  name: 'subtasks.list',
  access: 'read',
  *run({ accountId, parentId, limit }) {
    const rows = yield* selectAll(
      `SELECT ${listed.columns} FROM tasks INDEXED BY tasks_by_parent WHERE account_id = ? AND parent_id = ? ORDER BY id LIMIT ?`,
      accountId,
      parentId,
      limit,
    );
    return rows.map(listed.read);
  },
};

export interface CreateSubtaskArgs extends SubtaskKey {
  now: number;
  title: string;
  message: UserMessage;
  taskConfig: TaskConfig;
  /** Maximum number of subtasks per task, and maximum depth. */
  maxSubtasks: number;
  maxDepth: number;
  /** A copy of the files that the subtask gets; null if it gets none, or workspaces never leave this machine. */
  copyId: string | null;
  /** What the account must be able to pay for the work to start; absent if credits are not enforced. */
  creditDemand: CreditDemand | null;
}

export type CreatedSubtask = 'created' | 'there' | 'too_many' | 'too_deep' | 'no_parent';

/** What a subtask inherits from its parent. */
const inherited = taskRow.pick(
  'profile, family, locale, hidden as isHidden, api_key_id, oauth_client_id, external_user_id, project_id, budget_root, team_id, priority',
);

function inherit(parent: Row) {
  const { priority, ...rest } = inherited.read(parent);
  return { ...rest, priority: priorityOf(priority) };
}

/**
 * Creates a subtask once, even if called repeatedly. It inherits its owner and model profile from its parent. Rejects with
 * `resource_exhausted` if credits are required and there are none.
 */
export const createSubtask: StoreOperation<CreateSubtaskArgs, CreatedSubtask> = {
  name: 'subtasks.create',
  access: 'write',
  keys: ({ parentId, taskId }) => [parentId, taskId],
  *run({ accountId, parentId, taskId, now, title, message, taskConfig, maxSubtasks, maxDepth, copyId, creditDemand }) {
    const parent = yield* lockRow(`id, status, agent_id, depth, ${inherited.columns}`, 'tasks', {
      account_id: accountId,
      id: parentId,
    });
    if (!parent || taskRow.status(parent) !== 'running') return 'no_parent';
    const siblings = yield* selectAll(
      'SELECT id FROM tasks INDEXED BY tasks_by_parent WHERE account_id = ? AND parent_id = ? LIMIT ?',
      accountId,
      parentId,
      maxSubtasks,
    );
    if (siblings.some((row) => taskRow.id(row) === taskId)) return 'there';
    const depth = taskRow.depth(parent) + 1;
    if (depth > maxDepth) return 'too_deep';
    if (siblings.length >= maxSubtasks) return 'too_many';
    if (creditDemand) yield* checkCreditsForAgents(accountId, creditDemand);
    const { statements } = insertTask(
      {
        accountId,
        taskId,
        now,
        taskType: 'agent_subtask',
        title,
        ...inherit(parent),
        metadata: null,
        isInteractive: false,
        shareVisibility: 'private',
        shareId: null,
        agentId: taskRow.agent_id(parent) ?? defaultAgentId(accountId),
        parentId,
        depth,
        traceparent: message.traceparent ?? null,
      },
      firstEvents(message, taskConfig),
    );
    yield statements;
    if (copyId !== null) yield* startWorkspaceSave(accountId, taskId, copyId, now);
    return 'created';
  },
  announce: (args, outcome) => (outcome === 'created' ? announceNew(args) : []),
};

/** Suspends a task that waits for its subtasks; it becomes due after `delayMs`, or when it is woken. */
export const suspendTask: StoreOperation<Lease & { delayMs: number }, null> = {
  name: 'tasks.suspend',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ accountId, taskId, fence, delayMs }) {
    yield* selectAll(
      `UPDATE tasks SET wake_at = errand_now() + ?, lease_owner = NULL WHERE account_id = ? AND id = ? AND fence = ?
       AND status = 'running' RETURNING id`,
      delayMs,
      accountId,
      taskId,
      fence,
    );
    return null;
  },
};

/**
 * Makes a suspended task due now, because one of its subtasks has ended. A task that pauses after the deaths of its workers still waits;
 * one that waits for a budget with its subtasks is checked, because they may have resumed.
 */
export const wakeParent: StoreOperation<{ accountId: string; taskId: string }, null> = {
  name: 'subtasks.wakeParent',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ accountId, taskId }) {
    yield* selectAll(
      `UPDATE tasks SET wake_at = CASE WHEN status = 'running' THEN errand_now() END,
         budget_retry_at = CASE WHEN status = 'waiting' THEN 0 END WHERE account_id = ? AND id = ? AND lease_owner IS NULL
         AND ((status = 'running' AND (wake_at IS NULL OR crashes < ?)) OR (status = 'waiting' AND budget_retry_at IS NOT NULL)) RETURNING id`,
      accountId,
      taskId,
      probationCrashes,
    );
    return null;
  },
  announce: () => [{ topic: 'due' }],
};

function* selectChildren(accountId: string, parentId: string): Script<Row[]> {
  return yield* selectAll(
    `SELECT ${lockedColumns} FROM tasks t INDEXED BY tasks_by_parent WHERE account_id = ? AND parent_id = ? FOR UPDATE`,
    accountId,
    parentId,
  );
}

/** The locked rows of all descendants of a task, deepest first. */
export function* findDescendants(accountId: string, taskId: string): Script<Row[]> {
  const found: Row[] = [];
  for (const child of yield* selectChildren(accountId, taskId)) {
    found.push(...(yield* findDescendants(accountId, taskRow.id(child))), child);
  }
  return found;
}

/** Stops those of the locked tasks that are active; returns their ids. */
export function* stopAll(rows: readonly Row[], now: number): Script<string[]> {
  const stopped: string[] = [];
  for (const row of rows) {
    const events = stopEvents(taskRow.status(row));
    if (events.length === 0) continue;
    const { records, credits } = billSession(row, now, events.length);
    yield* logCommand(row, events, now, stopChange, [credits], records);
    stopped.push(taskRow.id(row));
  }
  return stopped;
}
