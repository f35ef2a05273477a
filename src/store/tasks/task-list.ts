import type { StoreOperation, SqlValue } from '../db/store-operation.ts';
import { selectAll } from '../db/store-operation.ts';
import { readTask, type TaskRecord, taskColumns } from './task-record.ts';

export interface ListTasksArgs {
  accountId: string;
  order: 'asc' | 'desc';
  /** Exclusive: the id of the last task of the previous page, null for the first page. */
  afterId: string | null;
  taskType: string | null;
  apiKeyId: string | null;
  oauthClientId: string | null;
  projectId?: string | null;
  agentId?: string | null;
  limit: number;
}

/** Most selective first: SQLite would not choose it automatically. */
function chooseIndex(filter: Record<'apiKeyId' | 'oauthClientId' | 'projectId' | 'agentId', string | null>): string {
  if (filter.projectId !== null) return 'INDEXED BY tasks_by_project';
  if (filter.agentId !== null) return 'INDEXED BY tasks_by_agent';
  if (filter.apiKeyId !== null) return 'INDEXED BY tasks_by_key';
  return filter.oauthClientId === null ? '' : 'INDEXED BY tasks_by_client';
}

/** A page by creation time. Ids sort by creation, so the primary key is the order and the cursor is an id. */
export const listTasks: StoreOperation<ListTasksArgs, TaskRecord[]> = {
  name: 'tasks.list',
  access: 'read',
  *run({ accountId, order, afterId, taskType, apiKeyId, oauthClientId, projectId = null, agentId = null, limit }) {
    const isAscending = order === 'asc';
    // Main tasks of agents are not listed.
    const conditions = ['t.account_id = ?', "t.task_type <> 'agent_main'"];
    const params: SqlValue[] = [accountId];
    const where = (condition: string, value: SqlValue) => {
      if (value === null) return;
      conditions.push(condition);
      params.push(value);
    };
    where(isAscending ? 't.id > ?' : 't.id < ?', afterId);
    where('t.task_type = ?', taskType);
    where('t.api_key_id = ?', apiKeyId);
    where('t.oauth_client_id = ?', oauthClientId);
    where('t.project_id = ?', projectId);
    where('t.agent_id = ?', agentId);
    const index = chooseIndex({ apiKeyId, oauthClientId, projectId, agentId });
    const rows = yield* selectAll(
      `SELECT ${taskColumns} FROM tasks t ${index} WHERE ${conditions.join(' AND ')} ORDER BY t.id ${isAscending ? 'ASC' : 'DESC'} LIMIT ?`,
      ...params,
      limit,
    );
    return rows.map(readTask);
  },
};
