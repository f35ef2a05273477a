import { firstIdAt } from '@errand/base/ids.ts';
import type { Plan } from '../../rules/accounts/access.ts';
import { dayMs } from '../../rules/credits/credit-balance.ts';
import { marks, type StoreOperation, type Script, selectAll, selectFirst } from '../db/store-operation.ts';
import { computedCodec, integer, nullable } from '../db/row-codec.ts';
import { accountRow, teamMemberRow } from '../db/shared-rows.ts';
import { membersOfTeam, teamOf } from '../db/teammates.ts';

const dayRow = computedCodec('usage.teamDays', { day: integer, credits: integer });
const memberRow = computedCodec('usage.teamMembers', { tasks: integer, credits: nullable(integer) });

export interface TeamUsageArgs {
  accountId: string;
  plan: Plan;
  /** Milliseconds since the epoch, the end exclusive. */
  fromMs: number;
  untilMs: number;
}

/** The accounts whose usage a caller may see, and the team in which; without a team, everything of the account. */
export interface VisibleUsage {
  accountIds: string[];
  teamId: string | null;
}

/**
 * The accounts whose usage a caller may see: owners and admins see everybody in their current team, members themselves; null without a
 * team. An account with the team plan but no team counts as a team of one.
 */
export function* findVisible({ accountId, plan }: TeamUsageArgs): Script<VisibleUsage | null> {
  const own = yield* selectFirst('SELECT team_id, role FROM team_members WHERE account_id = ?', accountId);
  if (!own) return plan === 'team' ? { accountIds: [accountId], teamId: null } : null;
  const teamId = teamMemberRow.team_id(own);
  if (teamMemberRow.role(own) === 'member') return { accountIds: [accountId], teamId };
  const rows = yield* selectAll(`SELECT account_id FROM accounts WHERE account_id IN ${membersOfTeam}`, teamId, teamId);
  return { accountIds: rows.map(accountRow.account_id), teamId };
}

/**
 * A condition on `usage_records u`: what was used in the team, for members of several teams. A task that was deleted, and the main
 * task of an agent, which follows its owner, count for the only team of the owner, unless it was before the owner left another.
 */
function ofTeam(teamId: string | null): { where: string; params: string[] } {
  if (teamId === null) return { where: '1 = 1', params: [] };
  const stays = "t.team_id IS NOT NULL OR t.task_type <> 'agent_main'";
  const team = `(SELECT CASE WHEN ${stays} THEN ${teamOf('t')} END FROM tasks t WHERE t.account_id = u.account_id AND t.id = u.task_id)`;
  const only = `CASE WHEN NOT EXISTS (SELECT 1 FROM other_memberships b WHERE b.account_id = u.account_id)
    AND NOT EXISTS (SELECT 1 FROM accounts l WHERE l.account_id = u.account_id AND l.left_team_at >= u.created_at) THEN ? END`;
  return { where: `COALESCE(${team}, ${only}) = ?`, params: [teamId, teamId] };
}

/** Cost of sessions minus refunds, in credits; ids sort by time, so a time is a range of ids. */
const spent = '-SUM(u.credits)';
const ofSessions = 'u.id >= ? AND u.id < ? AND u.task_id IS NOT NULL';

export interface DayUsage {
  /** Midnight UTC. */
  dayMs: number;
  credits: number;
}

/** Usage of a team for each day with any, oldest first; null for an account without a team. */
export const readTeamDays: StoreOperation<TeamUsageArgs, DayUsage[] | null> = {
  name: 'usage.teamDays',
  access: 'read',
  scans: ({ accountId }) => accountId,
  *run(args) {
    const visible = yield* findVisible(args);
    if (!visible) return null;
    const { where, params } = ofTeam(visible.teamId);
    const rows = yield* selectAll(
      `SELECT u.created_at / ${dayMs} AS day, ${spent} AS credits FROM usage_records u
       WHERE u.account_id IN (${marks(visible.accountIds.length)}) AND ${ofSessions} AND ${where} GROUP BY 1 ORDER BY 1`,
      ...visible.accountIds,
      firstIdAt(args.fromMs),
      firstIdAt(args.untilMs),
      ...params,
    );
    return rows.map((row) => ({ dayMs: dayRow.day(row) * dayMs, credits: dayRow.credits(row) }));
  },
};

export interface MemberUsage {
  accountId: string;
  email: string;
  /** Number of tasks with a session. */
  taskCount: number;
  credits: number;
}

/** Usage of each member, unordered; null for an account without a team. */
export const readMemberUsage: StoreOperation<TeamUsageArgs, MemberUsage[] | null> = {
  name: 'usage.teamMembers',
  access: 'read',
  scans: ({ accountId }) => accountId,
  *run(args) {
    const visible = yield* findVisible(args);
    if (!visible) return null;
    const { where, params } = ofTeam(visible.teamId);
    const rows = yield* selectAll(
      `SELECT a.account_id, a.email, COUNT(DISTINCT u.task_id) AS tasks, ${spent} AS credits
       FROM accounts a LEFT JOIN usage_records u ON u.account_id = a.account_id AND ${ofSessions} AND ${where}
       WHERE a.account_id IN (${marks(visible.accountIds.length)}) GROUP BY a.account_id, a.email`,
      firstIdAt(args.fromMs),
      firstIdAt(args.untilMs),
      ...params,
      ...visible.accountIds,
    );
    return rows.map((row) => ({
      accountId: accountRow.account_id(row),
      email: accountRow.email(row),
      taskCount: memberRow.tasks(row),
      credits: memberRow.credits(row) ?? 0,
    }));
  },
};
