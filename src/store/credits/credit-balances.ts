import { Fault } from '@errand/base/fault.ts';
import { deriveId } from '@errand/base/ids.ts';
import type { Plan } from '../../rules/accounts/access.ts';
import {
  applyEntry,
  type CreditKind,
  creditKinds,
  type CreditPlans,
  type Credits,
  findDueGrants,
  type GrantedPeriods,
  sumCredits,
} from '../../rules/credits/credit-balance.ts';
import { type StoreOperation, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { insertRecords, usageRecordRow } from './usage-ledger.ts';
import { computedCodec, flag, integer, tableCodec } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';

/** Maximum number of records settled at once; the next call settles the rest. */
const settledAtOnce = 2000;

export interface SettleArgs {
  accountId: string;
  /** The credits that each plan refills to. */
  plans: CreditPlans;
  now: number;
}

export interface Balance {
  plan: Plan;
  /** Sum of all records; only of the settled ones while there are more. */
  total: number;
  credits: Credits;
  /** Whether there are records that `credits` does not include yet. */
  hasMore: boolean;
}

const balanceRow = tableCodec('credit_balances', {
  refresh: integer,
  periodic: integer,
  event: integer,
  addon: integer,
  free: integer,
  month_at: integer,
  day_at: integer,
});
const openRow = computedCodec('open records', { open: integer });
const hasOpenRow = computedCodec('credits.read', { has_open: flag });
const { read: readCredits, columns: kinds } = balanceRow.pick(...creditKinds);
const { read: readGranted } = balanceRow.pick('month_at as monthMs, day_at as dayMs');
const { read: readHolder } = accountRow.pick('plan, created_at');

/** Sum of the unsettled records of a balance `b`. */
export const sumOfOpen = `(SELECT COALESCE(SUM(u.credits), 0) FROM usage_records u INDEXED BY usage_records_open
  WHERE u.account_id = b.account_id AND u.settled = 0)`;

/** Marks unsettled records as settled and returns their sums, costs together with their refunds. */
function* takeOpen(accountId: string): Script<{ changes: { credits: number; kind: CreditKind | null }[]; count: number }> {
  const rows = yield* selectAll(
    `UPDATE usage_records SET settled = 1 WHERE account_id = ? AND settled = 0 AND id IN
       (SELECT id FROM usage_records INDEXED BY usage_records_open WHERE account_id = ? AND settled = 0 ORDER BY id LIMIT ?)
     RETURNING id, credits, task_id, session, kind`,
    accountId,
    accountId,
    settledAtOnce,
  );
  const bySession = Map.groupBy(rows, (row) => {
    const taskId = usageRecordRow.task_id(row);
    return taskId === null ? usageRecordRow.id(row) : `${taskId} ${usageRecordRow.session(row)}`;
  });
  const changes = [...bySession.values()].map((group) => ({
    credits: group.reduce((sum, row) => sum + usageRecordRow.credits(row), 0),
    kind: group[0] ? usageRecordRow.kind(group[0]) : null,
  }));
  // Apply gifts first, so that nothing is owed while credits are available.
  return { changes: changes.toSorted((a, b) => b.credits - a.credits), count: rows.length };
}

const titles = { periodic: 'Monthly credits', refresh: 'Daily credits' } as const;

interface Filled {
  credits: Credits;
  granted: GrantedPeriods;
  records: Parameters<typeof insertRecords>[0];
}

/** Adds due grants. The id of such a record is derived from its period, so it cannot be added twice. */
function fillUp(
  { accountId, plans, now }: SettleArgs,
  account: { plan: Plan; createdAtMs: number },
  from: Omit<Filled, 'records'>,
): Filled {
  let { credits, granted } = from;
  const records: Filled['records'][number][] = [];
  for (const { kind, fromMs, upTo } of findDueGrants(plans[account.plan], granted, now)) {
    const given = Math.max(0, upTo - credits[kind]);
    credits = applyEntry(credits, { credits: given, kind });
    granted = kind === 'periodic' ? { ...granted, monthMs: fromMs } : { ...granted, dayMs: fromMs };
    if (given === 0) continue;
    const at = Math.max(fromMs, account.createdAtMs);
    const id = deriveId(at, `${accountId} ${kind} ${fromMs}`);
    const [type, title] = ['grant' as const, titles[kind]];
    records.push({ accountId, id, type, credits: given, taskId: null, session: null, title, kind, now: at, isSettled: true });
  }
  return { credits, granted, records };
}

/** Brings an account's balance up to date with new records and the grants of its plan. */
export const settleCredits: StoreOperation<SettleArgs, Balance> = {
  name: 'credits.settle',
  access: 'exclusive',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    const { accountId } = args;
    yield* selectAll(
      `INSERT INTO credit_balances (account_id, ${kinds}, month_at, day_at) VALUES (?, 0, 0, 0, 0, 0, 0, 0)
       ON CONFLICT DO NOTHING RETURNING account_id`,
      accountId,
    );
    const [[row] = [], [account] = []] = yield [
      sql(`SELECT ${kinds}, month_at, day_at FROM credit_balances WHERE account_id = ? FOR UPDATE`, accountId),
      sql('SELECT plan, created_at FROM accounts WHERE account_id = ?', accountId),
    ];
    if (!row || !account) throw new Fault('not_found', 'account not found');
    const holder = readHolder(account);
    const { plan } = holder;
    const { changes, count } = yield* takeOpen(accountId);
    const { credits, granted, records } = fillUp(args, holder, {
      credits: changes.reduce(applyEntry, readCredits(row)),
      granted: readGranted(row),
    });
    const hasMore = count === settledAtOnce;
    const [, [left] = []] = yield [
      sql(
        `UPDATE credit_balances SET ${creditKinds.map((kind) => `${kind} = ?`).join(', ')}, month_at = ?, day_at = ?
         WHERE account_id = ?`,
        ...creditKinds.map((kind) => credits[kind]),
        granted.monthMs,
        granted.dayMs,
        accountId,
      ),
      // Not while many are left: adding them up at each call would take time in proportion to their square.
      ...(hasMore ? [] : [sql(`SELECT ${sumOfOpen} AS open FROM credit_balances b WHERE b.account_id = ?`, accountId)]),
      ...(records.length > 0 ? [insertRecords(records)] : []),
    ];
    return { plan, total: sumCredits(credits) + (left && !hasMore ? openRow.open(left) : 0), credits, hasMore };
  },
};

/** The balance of an account if it is up to date, which is the usual case; null if `settleCredits` has to run. */
export const readBalance: StoreOperation<SettleArgs, Balance | null> = {
  name: 'credits.read',
  access: 'read',
  *run({ accountId, plans, now }) {
    const row = yield* selectFirst(
      `SELECT ${kinds}, month_at, day_at, a.plan, EXISTS (SELECT 1 FROM usage_records u INDEXED BY usage_records_open
         WHERE u.account_id = b.account_id AND u.settled = 0) AS has_open
       FROM credit_balances b JOIN accounts a ON a.account_id = b.account_id WHERE b.account_id = ?`,
      accountId,
    );
    if (!row || hasOpenRow.has_open(row)) return null;
    const plan = accountRow.plan(row);
    const granted = readGranted(row);
    if (findDueGrants(plans[plan], granted, now).length > 0) return null;
    const credits = readCredits(row);
    return { plan, total: sumCredits(credits), credits, hasMore: false };
  },
};

export interface ChangeCreditsArgs {
  accountId: string;
  recordId: string;
  /** A negative number deducts credits. */
  credits: number;
  kind: CreditKind;
  title: string;
  now: number;
}

/** Adds or removes credits on behalf of the operator. */
export const changeCredits: StoreOperation<ChangeCreditsArgs, null> = {
  name: 'credits.change',
  access: 'write',
  *run({ accountId, recordId: id, credits, kind, title, now }) {
    const type = credits < 0 ? 'cost' : 'grant';
    yield [insertRecords([{ accountId, id, type, credits, taskId: null, session: null, title, kind, now, isSettled: false }])];
    return null;
  },
};

/** Some accounts with unsettled records, after `afterAccount`. */
export const findUnsettled: StoreOperation<{ afterAccount: string; limit: number }, string[]> = {
  name: 'credits.findUnsettled',
  access: 'read',
  *run({ afterAccount, limit }) {
    const rows = yield* selectAll(
      `WITH RECURSIVE open (account_id) AS (
         SELECT (SELECT MIN(account_id) FROM usage_records INDEXED BY usage_records_open WHERE settled = 0 AND account_id > ?)
         UNION ALL
         SELECT (SELECT MIN(u.account_id) FROM usage_records u INDEXED BY usage_records_open
           WHERE u.settled = 0 AND u.account_id > open.account_id)
         FROM open WHERE open.account_id IS NOT NULL
       )
       SELECT account_id FROM open WHERE account_id IS NOT NULL LIMIT ?`,
      afterAccount,
      limit,
    );
    return rows.map(usageRecordRow.account_id);
  },
};
