import type { Operation, SqlValue } from './db/operation.ts';
import { selectAll } from './db/operation.ts';
import { readTask, type TaskRecord, taskColumns } from './task-record.ts';

export interface ListTasksArgs {
  accountId: string;
  order: 'asc' | 'desc';
  /** Exclusive position: the id of the last task of the page before, null for the first page. */
  afterId: string | null;
  taskType: string | null;
  apiKeyId: string | null;
  oauthClientId: string | null;
  limit: number;
}

/** A page by creation time. Ids sort by creation, so the primary key is the order and the cursor is an id. */
export const listTasks: Operation<ListTasksArgs, TaskRecord[]> = {
  name: 'tasks.list',
  access: 'read',
  *run({ accountId, order, afterId, taskType, apiKeyId, oauthClientId, limit }) {
    const isAscending = order === 'asc';
    const conditions = ['t.account_id = ?'];
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
    const index = apiKeyId !== null ? 'INDEXED BY tasks_by_key' : oauthClientId !== null ? 'INDEXED BY tasks_by_client' : '';
    const rows = yield* selectAll(
      `SELECT ${taskColumns} FROM tasks t ${index} WHERE ${conditions.join(' AND ')} ORDER BY t.id ${isAscending ? 'ASC' : 'DESC'} LIMIT ?`,
      ...params,
      limit,
    );
    return rows.map(readTask);
  },
};
