import { firstIdAt } from '@errand/base/ids.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { TaskMetadata } from '../../rules/tasks/task-metadata.ts';
import { containing } from '../db/like.ts';
import { sql, type SqlValue, type Statement, type StoreOperation } from '../db/store-operation.ts';
import { readTask, type TaskRecord, taskColumns } from './task-record.ts';

export interface ListTasksArgs {
  accountId: string;
  order: 'asc' | 'desc';
  /** Exclusive: the id of the last task of the previous page, null for the first page. */
  afterId: string | null;
  taskType: string | null;
  apiKeyId: string | null;
  oauthClientId: string | null;
  externalUserId?: string | null;
  scheduleId?: string | null;
  projectId?: string | null;
  agentId?: string | null;
  /** Null for any. */
  statuses?: readonly TaskStatus[] | null;
  /** Exclusive. */
  createdAfterMs?: number | null;
  createdBeforeMs?: number | null;
  /** A part of the title, ignoring case, or the id; null for any. */
  query?: string | null;
  /** Only tasks with all of these. */
  metadata?: TaskMetadata;
  limit: number;
}

/** How far the time in an id may be from the creation of its task: derived ids have the time of their cause. */
const idSlackMs = 3_600_000;

/** Chooses the most selective index first, which SQLite would not do. */
function chooseIndex(
  { externalUserId = null, scheduleId = null, projectId = null, agentId = null, apiKeyId, oauthClientId }: ListTasksArgs,
  status: TaskStatus | null,
): string {
  if (externalUserId !== null) return 'INDEXED BY tasks_by_external_user';
  if (scheduleId !== null) return 'INDEXED BY tasks_by_schedule';
  if (projectId !== null) return 'INDEXED BY tasks_by_project';
  if (agentId !== null) return 'INDEXED BY tasks_by_agent';
  if (apiKeyId !== null) return 'INDEXED BY tasks_by_key';
  if (oauthClientId !== null) return 'INDEXED BY tasks_by_client';
  return status === null || status === 'stopped' ? '' : 'INDEXED BY tasks_by_status';
}

/** Conditions with their values, in order. */
function* conditionsOf(args: ListTasksArgs, status: TaskStatus | null): Generator<[string, ...SqlValue[]]> {
  const { externalUserId = null, projectId = null, agentId = null, createdAfterMs = null, createdBeforeMs = null } = args;
  const { query = null, metadata = {}, scheduleId = null } = args;
  const [found, ...others] = Object.entries(metadata);
  if (found) yield ['m.account_id = ? AND m.key = ? AND m.value = ?', args.accountId, ...found];
  // Main tasks of agents are not listed.
  yield ["t.account_id = ? AND t.task_type <> 'agent_main'", args.accountId];
  const id = found ? 'm.task_id' : 't.id';
  if (args.afterId !== null) yield [`${id} ${args.order === 'asc' ? '>' : '<'} ?`, args.afterId];
  // The bounds of ids keep the rest of the account from being read.
  if (createdAfterMs !== null) yield [`t.created_at > ? AND ${id} > ?`, createdAfterMs, firstIdAt(createdAfterMs - idSlackMs)];
  if (createdBeforeMs !== null) yield [`t.created_at < ? AND ${id} < ?`, createdBeforeMs, firstIdAt(createdBeforeMs + idSlackMs)];
  // The partial index is only used where the statement itself says that it applies.
  if (status !== null) yield [`t.status = ?${status === 'stopped' ? '' : " AND t.status <> 'stopped'"}`, status];
  if (args.taskType !== null) yield ['t.task_type = ?', args.taskType];
  if (args.apiKeyId !== null) yield ['t.api_key_id = ?', args.apiKeyId];
  if (args.oauthClientId !== null) yield ['t.oauth_client_id = ?', args.oauthClientId];
  if (externalUserId !== null) yield ['t.external_user_id = ?', externalUserId];
  if (scheduleId !== null) yield ['t.schedule_id = ?', scheduleId];
  if (projectId !== null) yield ['t.project_id = ?', projectId];
  if (agentId !== null) yield ['t.agent_id = ?', agentId];
  const has =
    'SELECT 1 FROM task_metadata o WHERE o.account_id = t.account_id AND o.key = ? AND o.value = ? AND o.task_id = t.id';
  if (query !== null) yield [String.raw`(t.id = ? OR LOWER(t.title) LIKE ? ESCAPE '\')`, query, containing(query.toLowerCase())];
  for (const other of others) yield [`EXISTS (${has})`, ...other];
}

/** Whether tasks have to be skipped: one filter uses its index; further filters, and those without an index, are checked task by task. */
function isScan(args: ListTasksArgs): boolean {
  const { taskType, apiKeyId, oauthClientId, projectId = null, agentId = null, statuses = null, metadata = {} } = args;
  const { externalUserId = null, scheduleId = null, query = null } = args;
  if (taskType !== null || query !== null || statuses?.includes('stopped')) return true;
  const filters = [apiKeyId, oauthClientId, externalUserId, scheduleId, projectId, agentId, statuses].filter(
    (filter) => filter !== null,
  );
  return filters.length + Object.keys(metadata).length > 1;
}

function selectPage(args: ListTasksArgs, status: TaskStatus | null): Statement {
  const isByMetadata = Object.keys(args.metadata ?? {}).length > 0;
  const conditions = [...conditionsOf(args, status)];
  // A cross join is read in the order in which it is written, so that metadata leads to tasks.
  const source = isByMetadata ? 'task_metadata m CROSS JOIN tasks t' : `tasks t ${chooseIndex(args, status)}`;
  const join = isByMetadata ? 't.id = m.task_id AND ' : '';
  return sql(
    `SELECT ${taskColumns} FROM ${source} WHERE ${join}${conditions.map(([text]) => text).join(' AND ')}
     ORDER BY ${isByMetadata ? 'm.task_id' : 't.id'} ${args.order === 'asc' ? 'ASC' : 'DESC'} LIMIT ?`,
    ...conditions.flatMap(([, ...values]) => values),
    args.limit,
  );
}

/**
 * A page of tasks by creation time. Ids sort by creation, so the primary key is the order and the cursor is an id. Each status is read by
 * its own index, and the pages are merged.
 */
export const listTasks: StoreOperation<ListTasksArgs, TaskRecord[]> = {
  name: 'tasks.list',
  access: 'read',
  scans: (args) => (isScan(args) ? args.accountId : null),
  *run(args) {
    const pages = yield (args.statuses ?? [null]).map((status) => selectPage(args, status));
    if (pages.length === 1) return (pages[0] ?? []).map(readTask);
    const sign = args.order === 'asc' ? 1 : -1;
    const merged = pages.flat().map(readTask);
    return merged.toSorted((one, other) => (one.id < other.id ? -sign : sign)).slice(0, args.limit);
  },
};
