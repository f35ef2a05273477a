import { newId } from '@errand/base/ids.ts';

/**
 * What a database is asked to do: rows like those of the service, and nothing around them. The tables are bench's own, so that
 * figures of different versions can be compared.
 */
export type Work = 'create' | 'append' | 'detail' | 'messages';

export interface Statement {
  /** SQL with `?` for parameters. */
  sql: string;
  params: (string | number | null)[];
}

/** The statements of one such piece of work. */
export type Piece = readonly Statement[];

/**
 * A task's head with the indexes that find it, and the events of its log.
 * @param text the type of a text that is compared bytewise
 * @param clustering what a table is given that is stored in the order of its key
 */
export function defineTables(text: string, clustering: string): string {
  return `
    CREATE TABLE tasks (
      account_id ${text} NOT NULL, id ${text} NOT NULL, status ${text} NOT NULL, title TEXT NOT NULL, profile TEXT NOT NULL,
      locale TEXT NOT NULL, visibility TEXT NOT NULL, api_key_id ${text}, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
      last_seq BIGINT NOT NULL, last_event_at BIGINT NOT NULL, wake_at BIGINT, lease_owner ${text}, fence BIGINT NOT NULL,
      PRIMARY KEY (account_id, id)
    ) ${clustering};
    CREATE INDEX tasks_due ON tasks (account_id, wake_at) WHERE wake_at IS NOT NULL;
    CREATE INDEX tasks_by_key ON tasks (account_id, api_key_id, id) WHERE api_key_id IS NOT NULL;
    CREATE TABLE events (
      account_id ${text} NOT NULL, task_id ${text} NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, audience INTEGER NOT NULL,
      type TEXT NOT NULL, body TEXT NOT NULL,
      PRIMARY KEY (account_id, task_id, seq)
    ) ${clustering};
    CREATE INDEX events_shown ON events (account_id, task_id, seq) WHERE audience = 1`;
}

const accountId = newId(Date.now());
const keyId = newId(Date.now());
const body = JSON.stringify({ text: 'say done', kind: 'text' });

function insertEvent(taskId: string, seq: number, type: string): Statement {
  const sql = 'INSERT INTO events (account_id, task_id, seq, at, audience, type, body) VALUES (?, ?, ?, ?, ?, ?, ?)';
  return { sql, params: [accountId, taskId, seq, Date.now(), 1, type, body] };
}

/** A task with its first two events. */
function create(taskId: string): Piece {
  const now = Date.now();
  const sql = `INSERT INTO tasks (account_id, id, status, title, profile, locale, visibility, api_key_id, created_at, updated_at,
    last_seq, last_event_at, wake_at, lease_owner, fence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const names = [accountId, taskId, 'running', 'say done', 'service-1.6', 'en', 'private', keyId];
  const task = { sql, params: [...names, now, now, 2, now, now, null, 0] };
  return [task, insertEvent(taskId, 1, 'user_message'), insertEvent(taskId, 2, 'running')];
}

/** A message to a task that runs: its head moves on and the log grows by one. */
function append(taskId: string, seq: number): Piece {
  const now = Date.now();
  const sql = 'UPDATE tasks SET last_seq = ?, last_event_at = ?, updated_at = ? WHERE account_id = ? AND id = ?';
  return [{ sql, params: [seq, now, now, accountId, taskId] }, insertEvent(taskId, seq, 'user_message')];
}

const reads = {
  detail: 'SELECT * FROM tasks WHERE account_id = ? AND id = ?',
  messages: `SELECT seq, at, type, body FROM events WHERE account_id = ? AND task_id = ? AND seq < 1000000 AND audience = 1
    ORDER BY seq DESC LIMIT 51`,
};

/** `count` pieces; all but `create` are about the given tasks, in turn. */
export function planWork(work: Work, count: number, taskIds: readonly string[]): Piece[] {
  return Array.from({ length: count }, (_, index): Piece => {
    const taskId = taskIds[index % taskIds.length] ?? '';
    if (work === 'create') return create(newId(Date.now()));
    if (work === 'append') return append(taskId, 3 + Math.floor(index / taskIds.length));
    return [{ sql: reads[work], params: [accountId, taskId] }];
  });
}

/** Tasks for the other kinds of work, with the statements that make them. */
export function planTasks(count: number): { taskIds: string[]; pieces: Piece[] } {
  const taskIds = Array.from({ length: count }, () => newId(Date.now()));
  return { taskIds, pieces: taskIds.map(create) };
}
