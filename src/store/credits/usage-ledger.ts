/**
 * The ledger of credits.
 *
 * Records are added and never changed. The cost of a session is written in the transaction of the event that ends it, which proves the
 * fence, so a session has one record whatever happens to its workers. An account's balance is the sum of its records: `credit_balances`
 * holds the sum of those marked as settled, the rest is added on read. So ending a session touches no row that other sessions of the
 * account need.
 */
import { deriveId } from '@errand/base/ids.ts';
import type { CreditKind } from '../../rules/credits/credit-balance.ts';
import { creditsOf } from '../../rules/credits/pricing.ts';
import { type StoreOperation, placeholders, type Row, selectAll, type SqlValue, type Statement } from '../db/store-operation.ts';
import { computedCodec, integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

export const usageTypes = ['cost', 'refund', 'grant'] as const;
export type UsageType = (typeof usageTypes)[number];

interface UsageRow {
  accountId: string;
  id: string;
  type: UsageType;
  credits: number;
  taskId: string | null;
  session: number | null;
  title: string | null;
  kind: string | null;
  now: number;
  isSettled: boolean;
}

/** `usage_records` */
export const usageRecordRow = tableCodec('usage_records', {
  account_id: text,
  id: text,
  type: oneOf<UsageType>(),
  credits: integer,
  task_id: nullable(text),
  session: nullable(integer),
  kind: nullable(oneOf<CreditKind>()),
  created_at: integer,
});
const joinedRow = computedCodec('usage.list', { title: nullable(text), email: nullable(text) });

const columns = 'account_id, id, type, credits, task_id, session, title, kind, created_at, settled';

export function insertRecords(records: readonly UsageRow[]): Statement {
  const params = records.flatMap((record): SqlValue[] => [
    record.accountId,
    record.id,
    record.type,
    record.credits,
    record.taskId,
    record.session,
    record.title,
    record.kind,
    record.now,
    record.isSettled ? 1 : 0,
  ]);
  return { sql: `INSERT INTO usage_records (${columns}) VALUES ${placeholders(records.length, 10)}`, params };
}

export interface SessionBill {
  accountId: string;
  taskId: string;
  /** Sequence number of the event that ended it. */
  session: number;
  /** Millionths of a credit. */
  cost: number;
  now: number;
}

/** The cost of a session; one that ended with an error is refunded by a second record. */
export function insertSession(bill: SessionBill, isRefunded: boolean): Statement {
  const { accountId, taskId, session, cost, now } = bill;
  const credits = creditsOf(cost);
  const record = (type: UsageType, change: number): UsageRow => {
    const id = deriveId(now, `${taskId} ${session} ${type}`);
    return { accountId, id, type, credits: change, taskId, session, title: null, kind: null, now, isSettled: false };
  };
  return insertRecords([record('cost', -credits), ...(isRefunded ? [record('refund', credits)] : [])]);
}

/** A record as shown to its account. */
export interface UsageRecord {
  id: string;
  type: UsageType;
  credits: number;
  taskId: string | null;
  /** The current title of the task, or the reason of a grant; null if the task is deleted. */
  title: string | null;
  createdAtMs: number;
  /** The account that used the credits, for a task visible to the team; otherwise null. */
  collaborator: { accountId: string; email: string } | null;
}

const own = usageRecordRow.pick('id, type, credits, task_id, created_at');

function readRecord(row: Row): UsageRecord {
  const { title, email } = joinedRow.read(row);
  const collaborator = email === null ? null : { accountId: usageRecordRow.account_id(row), email };
  return { ...own.read(row), title, collaborator };
}

export interface ListUsageArgs {
  accountId: string;
  /** Exclusive: returns records older than this one; null starts at the newest. */
  beforeId: string | null;
  limit: number;
}

/** A page of an account's records, newest first. */
export const listUsage: StoreOperation<ListUsageArgs, UsageRecord[]> = {
  name: 'usage.list',
  access: 'read',
  *run({ accountId, beforeId, limit }) {
    const rows = yield* selectAll(
      `SELECT u.account_id, ${own.columnsOf('u')}, COALESCE(u.title, t.title) AS title, a.email
       FROM usage_records u LEFT JOIN tasks t ON t.account_id = u.account_id AND t.id = u.task_id
       LEFT JOIN accounts a ON a.account_id = t.account_id AND t.share_visibility = 'team'
       WHERE u.account_id = ? ${beforeId === null ? '' : 'AND u.id < ?'} ORDER BY u.id DESC LIMIT ?`,
      accountId,
      ...(beforeId === null ? [] : [beforeId]),
      limit,
    );
    return rows.map(readRecord);
  },
};
