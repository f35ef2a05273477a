import { Fault } from '@errand/base/fault.ts';
import {
  isWithoutBody,
  type KeptRequest,
  mostRequests,
  type ReplayState,
  requestTtlMs,
} from '../../rules/requests/kept-request.ts';
import { containing } from '../db/like.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';
import {
  compareText,
  deleteSome,
  findRow,
  marks,
  padToPowerOfTwo,
  repeat,
  type Row,
  type Script,
  selectAll,
  sql,
  type SqlValue,
  type Statement,
  type StoreOperation,
} from '../db/store-operation.ts';

const requestRow = tableCodec('api_requests', {
  account_id: text,
  id: text,
  at: integer,
  method: text,
  path: text,
  query: text,
  status: integer,
  duration_ms: integer,
  credential: text,
  error_code: nullable(text),
  error_param: nullable(text),
  task_id: nullable(text),
  body: nullable(text),
  replay: oneOf<ReplayState>(),
});

const { read, columns } = requestRow.pick(
  'id, at as atMs, method, path, query, status, duration_ms, credential, error_code, error_param, task_id, replay',
);

/** A request with its account, and its body if that is kept. */
export interface RecordedRequest extends KeptRequest {
  accountId: string;
  body: string | null;
}

/** The log of an emptied task begins with a later event than its first. */
const wasEmptied = `COALESCE((SELECT e.seq > 1 AND e.at > CAST(? AS BIGINT) FROM events e
  WHERE e.account_id = t.account_id AND e.task_id = t.id ORDER BY e.seq LIMIT 1), FALSE)`;

/** The body of a task that has been deleted or emptied meanwhile is not stored. */
const recordedRow = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  CASE WHEN CAST(? AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM tasks t WHERE t.account_id = ? AND t.id = ? AND NOT ${wasEmptied})
    THEN CAST(? AS TEXT) END, ?)`;

function valuesOf(request: RecordedRequest): SqlValue[] {
  const { accountId, id, atMs, method, path, query, status, durationMs, credential, errorCode, errorParam } = request;
  const { taskId, body, replay } = request;
  return [
    ...[accountId, id, atMs, method, path, query, status, durationMs, credential, errorCode, errorParam, taskId],
    ...[taskId, accountId, taskId, atMs, body, replay],
  ];
}

/** Those of these accounts that are being deleted or were, of which nothing may be stored any more. */
function* findDeleted(accountIds: readonly string[]): Script<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const padded = padToPowerOfTwo(accountIds);
  const among = `account_id IN (${marks(padded.length)})`;
  const rows = yield* selectAll(
    `SELECT account_id FROM accounts WHERE ${among} AND status = 'deleting'
     UNION ALL SELECT account_id FROM account_deletions d
       WHERE ${among} AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = d.account_id)`,
    ...padded,
    ...padded,
  );
  return new Set(rows.map(accountRow.account_id));
}

const insertInto = `INSERT INTO api_requests (account_id, id, at, method, path, query, status, duration_ms, credential, error_code,
  error_param, task_id, body, replay) VALUES`;

/**
 * The numbers of rows of one statement. Each number is another text, which every connection prepares and keeps: with any number, these
 * would take more memory than everything else that is prepared.
 */
const rowCounts = [64, 32, 16, 8, 4, 2, 1];

/** As few statements as these numbers of rows allow. */
function insertRequests(requests: readonly RecordedRequest[]): Statement[] {
  const statements: Statement[] = [];
  let at = 0;
  for (const count of rowCounts) {
    for (; requests.length - at >= count; at += count) {
      const rows = requests.slice(at, at + count);
      statements.push(sql(`${insertInto} ${repeat(recordedRow, count)} ON CONFLICT DO NOTHING`, ...rows.flatMap(valuesOf)));
    }
  }
  return statements;
}

/** Records requests, except those of accounts that are being deleted, and removes the oldest of these accounts beyond their number. */
export const recordRequests: StoreOperation<{ requests: readonly RecordedRequest[]; full: readonly string[] }, null> = {
  name: 'apiRequests.record',
  access: 'exclusive',
  *run({ requests, full }) {
    const gone = yield* findDeleted([...new Set(requests.map(({ accountId }) => accountId))]);
    // A fixed order prevents deadlocks between processes.
    const sorted = requests.filter(({ accountId }) => !gone.has(accountId)).toSorted((a, b) => compareText(a.id, b.id));
    yield insertRequests(sorted);
    if (full.length > 0) yield full.toSorted(compareText).map(deleteOldest);
    return null;
  },
};

function deleteOldest(accountId: string): Statement {
  return sql(
    `DELETE FROM api_requests WHERE account_id = ? AND id <=
       (SELECT id FROM api_requests WHERE account_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${mostRequests})`,
    accountId,
    accountId,
  );
}

export interface ListRequestsArgs {
  accountId: string;
  /** Lowest and highest status; null for all. */
  status: readonly [number, number] | null;
  /** A part of the path; null for all. */
  path: string | null;
  /** Exclusive: returns requests older than this one. */
  beforeId: string | null;
  limit: number;
}

/** A page of an account's requests, newest first. */
export const listRequests: StoreOperation<ListRequestsArgs, KeptRequest[]> = {
  name: 'apiRequests.list',
  access: 'read',
  *run({ accountId, status, path, beforeId, limit }) {
    const conditions: [string, ...SqlValue[]][] = [['account_id = ?', accountId]];
    if (beforeId !== null) conditions.push(['id < ?', beforeId]);
    if (status !== null) conditions.push(['status BETWEEN ? AND ?', ...status]);
    if (path !== null) conditions.push([`LOWER(path) LIKE ? ESCAPE '\\'`, containing(path.toLowerCase())]);
    const where = conditions.map(([condition]) => condition).join(' AND ');
    const params = conditions.flatMap(([, ...values]) => values);
    const statement = `SELECT ${columns} FROM api_requests WHERE ${where} ORDER BY id DESC LIMIT ?`;
    return (yield* selectAll(statement, ...params, limit)).map(read);
  },
};

/** A stored body whose task is gone cannot be sent again. */
function readWithBody(row: Row): KeptRequest & { body: string | null } {
  const request = read(row);
  const body = requestRow.body(row);
  const isGone = request.replay === 'possible' && !isWithoutBody(request.method) && body === null;
  return { ...request, body, replay: isGone ? 'deleted' : request.replay };
}

/** One request with its body. */
export const getRequest: StoreOperation<{ accountId: string; requestId: string }, KeptRequest & { body: string | null }> = {
  name: 'apiRequests.get',
  access: 'read',
  *run({ accountId, requestId }) {
    const row = yield* findRow(`${columns}, body`, 'api_requests', { account_id: accountId, id: requestId });
    if (!row) throw new Fault('not_found', 'request not found: it never came, or is older than what is kept');
    return readWithBody(row);
  },
};

/** Removes what requests said about a task. */
export function deleteRequestBodies(accountId: string, taskId: string): Statement {
  return sql('UPDATE api_requests SET body = NULL WHERE account_id = ? AND task_id = ? AND body IS NOT NULL', accountId, taskId);
}

/** Deletes requests older than a week, at most `limit` at once; returns their number. */
export const deleteExpiredRequests: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'apiRequests.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'api_requests', key: 'account_id, id', where: 'at <= ?', limit };
    return yield* deleteSome(from, now - requestTtlMs);
  },
};
