import { firstIdAt } from '@errand/base/ids.ts';
import { dayMs } from '../../rules/credits/credit-balance.ts';
import { computedCodec, integer, nullable, text } from '../db/row-codec.ts';
import { accountRow, teamMemberRow } from '../db/shared-rows.ts';
import { marks, type Script, selectAll, sql, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
import { findVisible, type TeamUsageArgs } from './team-usage.ts';

/** What usage is added up by. */
export const usageGroups = ['day', 'model', 'project', 'user'] as const;
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageBreakdownArgs extends TeamUsageArgs {
  by: UsageGroup;
  /** Only usage of this one; null for all. */
  model: string | null;
  projectId: string | null;
  userId: string | null;
}

/** The sum of a group; what does not name the group is null. */
export interface UsageSum {
  /** Midnight UTC. */
  dayMs: number | null;
  model: string | null;
  /** Empty: without a project. */
  projectId: string | null;
  /** Of the caller's own projects; null if it is deleted or somebody else's. */
  projectName: string | null;
  userId: string | null;
  email: string | null;
  calls: number;
  input: number;
  output: number;
  cached: number;
  /** Millionths of a credit. */
  cost: number;
}

const { read: readSum } = computedCodec('usage.breakdown', {
  day: nullable(integer),
  model: nullable(text),
  project_id: nullable(text),
  project_name: nullable(text),
  user_id: nullable(text),
  email: nullable(text),
  calls: integer,
  input: integer,
  output: integer,
  cached: integer,
  cost: integer,
});

/** What names a group, and its key. A project belongs to one account, but everybody has work without a project, which is one group. */
const groups: Record<UsageGroup, { columns: string; key: string }> = {
  day: { columns: 'used.day, NULL AS model, NULL AS project_id, NULL AS user_id', key: 'used.day' },
  model: { columns: 'NULL AS day, used.model, NULL AS project_id, NULL AS user_id', key: 'used.model' },
  project: {
    columns:
      "NULL AS day, NULL AS model, used.project_id, CASE used.project_id WHEN '' THEN NULL ELSE MIN(used.account_id) END AS user_id",
    key: "used.project_id, CASE used.project_id WHEN '' THEN '' ELSE used.account_id END",
  },
  user: { columns: 'NULL AS day, NULL AS model, NULL AS project_id, used.account_id AS user_id', key: 'used.account_id' },
};

/** An account whose usage the caller may see, and the first day of which: midnight UTC as days since the epoch. */
interface BrokenDown {
  accountId: string;
  fromDay: number;
}

/** The rows of these accounts, and of a model or project if one is asked for; `day` is the SQL of their day. */
function matchRows(
  accounts: readonly BrokenDown[],
  { model, projectId, fromMs }: UsageBreakdownArgs,
  day: string,
): { where: string; params: SqlValue[] } {
  const late = accounts.filter(({ fromDay }) => fromDay * dayMs > fromMs);
  const conditions = [
    `account_id IN (${marks(accounts.length)})`,
    ...late.map(() => `NOT (account_id = ? AND ${day} < ?)`),
    ...(model === null ? [] : ['model = ?']),
    ...(projectId === null ? [] : ['project_id = ?']),
  ];
  const ofLate = late.flatMap(({ accountId, fromDay }) => [accountId, fromDay]);
  const params = [...accounts.map(({ accountId }) => accountId), ...ofLate, model, projectId];
  return { where: conditions.join(' AND '), params: params.filter((value) => value !== null) };
}

/**
 * The accounts whose usage the caller may see. Of other people in several teams nobody knows what they used in which, so they are not among
 * them, and neither is what was used before they left a team.
 */
function* listBrokenDown(args: UsageBreakdownArgs): Script<BrokenDown[]> {
  const { accountIds } = (yield* findVisible(args)) ?? { accountIds: [args.accountId] };
  const [shared = [], left = []] = yield [
    sql(`SELECT account_id FROM other_memberships WHERE account_id IN (${marks(accountIds.length)})`, ...accountIds),
    sql(
      `SELECT account_id, left_team_at FROM accounts WHERE account_id IN (${marks(accountIds.length)}) AND left_team_at IS NOT NULL`,
      ...accountIds,
    ),
  ];
  const inSeveral = new Set(shared.map(teamMemberRow.account_id));
  const leftAt = new Map(left.map((row) => [accountRow.account_id(row), accountRow.left_team_at(row) ?? 0]));
  const dayAfter = (atMs: number | undefined) => (atMs === undefined ? 0 : Math.floor(atMs / dayMs) + 1);
  return accountIds
    .filter((id) => id === args.accountId || !inSeveral.has(id))
    .map((accountId) => ({ accountId, fromDay: accountId === args.accountId ? 0 : dayAfter(leftAt.get(accountId)) }));
}

/** Usage of whole days by group, of the accounts that the caller may see: its own, or as owner or admin those of its team. */
export const readUsageBreakdown: StoreOperation<UsageBreakdownArgs, UsageSum[]> = {
  name: 'usage.breakdown',
  access: 'read',
  scans: ({ accountId }) => accountId,
  *run(args) {
    const visible = yield* listBrokenDown(args);
    const accounts = args.userId === null ? visible : visible.filter(({ accountId }) => accountId === args.userId);
    if (accounts.length === 0) return [];
    const ofDays = matchRows(accounts, args, 'day');
    const ofCalls = matchRows(accounts, args, `at / ${dayMs}`);
    const { columns, key } = groups[args.by];
    const rows = yield* selectAll(
      `SELECT g.*, a.email, p.name AS project_name FROM (
         SELECT ${columns}, SUM(used.calls) AS calls, SUM(used.input) AS input, SUM(used.output) AS output, SUM(used.cached) AS cached,
           SUM(used.cost) AS cost
         FROM (
           SELECT account_id, day, project_id, model, calls, input, output, cached, cost FROM usage_days
             WHERE ${ofDays.where} AND day >= ? AND day < ?
           UNION ALL
           SELECT account_id, at / ${dayMs} AS day, project_id, model, 1 AS calls, input, output, cached, cost FROM usage_calls
             WHERE ${ofCalls.where} AND id >= ? AND id < ?
         ) used GROUP BY ${key}
       ) g LEFT JOIN accounts a ON a.account_id = g.user_id
       LEFT JOIN projects p ON p.account_id = ? AND p.id = g.project_id`,
      ...[...ofDays.params, args.fromMs / dayMs, args.untilMs / dayMs],
      ...[...ofCalls.params, firstIdAt(args.fromMs), firstIdAt(args.untilMs), args.accountId],
    );
    return rows.map((found) => {
      const { day, ...sum } = readSum(found);
      return { ...sum, dayMs: day === null ? null : day * dayMs };
    });
  },
};
