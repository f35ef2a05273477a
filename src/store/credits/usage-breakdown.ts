import { firstIdAt } from '@errand/base/ids.ts';
import { dayMs } from '../../rules/credits/credit-balance.ts';
import { computedCodec, integer, nullable, text } from '../db/row-codec.ts';
import { teamMemberRow } from '../db/shared-rows.ts';
import { marks, type Script, selectAll, type SqlValue, type StoreOperation } from '../db/store-operation.ts';
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

/** The rows of these accounts, and of a model or project if one is asked for. */
function matchRows(
  accountIds: readonly string[],
  { model, projectId }: UsageBreakdownArgs,
): { where: string; params: SqlValue[] } {
  const conditions = [`account_id IN (${marks(accountIds.length)})`];
  if (model !== null) conditions.push('model = ?');
  if (projectId !== null) conditions.push('project_id = ?');
  return { where: conditions.join(' AND '), params: [...accountIds, model, projectId].filter((value) => value !== null) };
}

/**
 * The accounts whose usage the caller may see. Of other people in several teams nobody knows what they used in which, so they are not among
 * them.
 */
function* listBrokenDown(args: UsageBreakdownArgs): Script<string[]> {
  const { accountIds } = (yield* findVisible(args)) ?? { accountIds: [args.accountId] };
  const rows = yield* selectAll(
    `SELECT account_id FROM other_memberships WHERE account_id IN (${marks(accountIds.length)})`,
    ...accountIds,
  );
  const shared = new Set(rows.map(teamMemberRow.account_id));
  return accountIds.filter((id) => id === args.accountId || !shared.has(id));
}

/** Usage of whole days by group, of the accounts that the caller may see: its own, or as owner or admin those of its team. */
export const readUsageBreakdown: StoreOperation<UsageBreakdownArgs, UsageSum[]> = {
  name: 'usage.breakdown',
  access: 'read',
  scans: ({ accountId }) => accountId,
  *run(args) {
    const visible = yield* listBrokenDown(args);
    const accountIds = args.userId === null ? visible : visible.filter((id) => id === args.userId);
    if (accountIds.length === 0) return [];
    const { where, params } = matchRows(accountIds, args);
    const { columns, key } = groups[args.by];
    const rows = yield* selectAll(
      `SELECT g.*, a.email, p.name AS project_name FROM (
         SELECT ${columns}, SUM(used.calls) AS calls, SUM(used.input) AS input, SUM(used.output) AS output, SUM(used.cached) AS cached,
           SUM(used.cost) AS cost
         FROM (
           SELECT account_id, day, project_id, model, calls, input, output, cached, cost FROM usage_days
             WHERE ${where} AND day >= ? AND day < ?
           UNION ALL
           SELECT account_id, at / ${dayMs} AS day, project_id, model, 1 AS calls, input, output, cached, cost FROM usage_calls
             WHERE ${where} AND id >= ? AND id < ?
         ) used GROUP BY ${key}
       ) g LEFT JOIN accounts a ON a.account_id = g.user_id
       LEFT JOIN projects p ON p.account_id = ? AND p.id = g.project_id`,
      ...[...params, args.fromMs / dayMs, args.untilMs / dayMs],
      ...[...params, firstIdAt(args.fromMs), firstIdAt(args.untilMs), args.accountId],
    );
    return rows.map((found) => {
      const { day, ...sum } = readSum(found);
      return { ...sum, dayMs: day === null ? null : day * dayMs };
    });
  },
};
