import type { TaskStatus } from '../../rules/events/task-event.ts';
import { containing } from '../db/like.ts';
import { marks, type StoreOperation, selectAll, type SqlValue } from '../db/store-operation.ts';
import { readTask, type TaskRecord, taskColumns } from './task-record.ts';

export interface SearchTasksArgs {
  accountId: string;
  /** The last task of the previous page; null starts. If it has been deleted, the list ends. */
  afterId: string | null;
  order: 'asc' | 'desc';
  sortBy: 'created_at' | 'updated_at';
  /** Terms that must all occur in the title or in a message of the user, ignoring case, or be the task's id. */
  texts: readonly string[];
  statuses: readonly TaskStatus[] | null;
  createdFromMs: number | null;
  createdUntilMs: number | null;
  projectId: string | null;
  agentId?: string | null;
  apiKeyId?: string | null;
  oauthClientId?: string | null;
  /** Excludes tasks hidden from the list of the web application. */
  isListedOnly?: boolean;
  /** True finds only archived tasks; otherwise only tasks that are not archived. Needs `isListedOnly`. */
  isArchived?: boolean;
  /** Only pinned tasks. */
  isPinned?: boolean;
  limit: number;
}

/** JSON strings contain non-ASCII characters literally, but quotes and line breaks escaped. */
function containingInJson(text: string): string {
  return containing(JSON.stringify(text.toLowerCase()).slice(1, -1));
}

/** Conditions of a search with their values, in order. */
export function* conditionsOf(args: SearchTasksArgs): Generator<[string, ...SqlValue[]]> {
  const { accountId, afterId, order, sortBy, texts, statuses, createdFromMs, createdUntilMs, projectId } = args;
  const { agentId = null, apiKeyId = null, oauthClientId = null, isListedOnly = false } = args;
  const { isArchived = false, isPinned = false } = args;
  yield ["t.account_id = ? AND t.task_type <> 'agent_main'", accountId];
  if (createdFromMs !== null) yield ['t.created_at >= ?', createdFromMs];
  if (createdUntilMs !== null) yield ['t.created_at <= ?', createdUntilMs];
  if (projectId !== null) yield ['t.project_id = ?', projectId];
  if (agentId !== null) yield ["t.agent_id = ? AND t.task_type = 'agent_subtask'", agentId];
  if (apiKeyId !== null) yield ['t.api_key_id = ?', apiKeyId];
  if (oauthClientId !== null) yield ['t.oauth_client_id = ?', oauthClientId];
  if (isListedOnly) yield ['t.hidden = 0 AND t.archived = ?', Number(isArchived)];
  // Literal, so that both databases see that the index of pinned tasks has them all.
  if (isPinned) yield ['t.pinned = 1'];
  if (statuses !== null) yield [`t.status IN (${marks(statuses.length)})`, ...statuses];
  for (const text of texts) {
    const said = `SELECT 1 FROM events e WHERE e.account_id = t.account_id AND e.task_id = t.id AND e.audience = 1
      AND e.type = 'user_message' AND LOWER(e.body) LIKE ? ESCAPE '\\'`;
    yield [
      String.raw`(t.id = ? OR LOWER(t.title) LIKE ? ESCAPE '\' OR EXISTS (${said}))`,
      text,
      containing(text.toLowerCase()),
      containingInJson(text),
    ];
  }
  if (afterId === null) return;
  const beyond = order === 'asc' ? '>' : '<';
  const last = `SELECT l.${sortBy} FROM tasks l WHERE l.account_id = ? AND l.id = ?`;
  if (sortBy === 'created_at') yield [`t.id ${beyond} ?`, afterId];
  else yield [`(t.updated_at, t.id) ${beyond} ((${last}), ?)`, accountId, afterId, afterId];
}

/** Whether the result is simply the newest or oldest tasks, without skipping any. */
function isFirstOfAll(args: SearchTasksArgs): boolean {
  const { sortBy, texts, statuses, createdFromMs, createdUntilMs, projectId } = args;
  const { agentId = null, apiKeyId = null, oauthClientId = null, isArchived = false } = args;
  if (isArchived) return false;
  const filters = [statuses, createdFromMs, createdUntilMs, projectId, agentId, apiKeyId, oauthClientId];
  return sortBy === 'created_at' && texts.length === 0 && filters.every((filter) => filter === null);
}

/**
 * The lists of v1, and the web application's lists without text. Ids sort by creation; sorting by last change, and searching for a part of
 * a word, scan all tasks of the account, so v2 has no such lists.
 */
export const searchTasks: StoreOperation<SearchTasksArgs, TaskRecord[]> = {
  name: 'tasks.search',
  access: 'read',
  scans: (args) => (isFirstOfAll(args) ? null : args.accountId),
  *run(args) {
    const conditions = [...conditionsOf(args)];
    const direction = args.order === 'asc' ? 'ASC' : 'DESC';
    const sorting = args.sortBy === 'created_at' ? `t.id ${direction}` : `t.updated_at ${direction}, t.id ${direction}`;
    const rows = yield* selectAll(
      `SELECT ${taskColumns} FROM tasks t WHERE ${conditions.map(([text]) => text).join(' AND ')} ORDER BY ${sorting} LIMIT ?`,
      ...conditions.flatMap(([, ...values]) => values),
      args.limit,
    );
    return rows.map(readTask);
  },
};
