import { z } from 'zod';
import { type MemberUsage, readMemberUsage } from '../../store/credits/team-usage.ts';
import { cursor, pageEnd, queryFlag, queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { dayRange, demandTeam, nameOf, readDayRange } from './team-usage-fields.ts';

type SortBy = 'task_count' | 'credits';

function valueOf(member: MemberUsage, sortBy: SortBy): number {
  return sortBy === 'credits' ? member.credits : member.taskCount;
}

/** A member's position in the order: its value, then its ID. */
function positionOf(member: MemberUsage, sortBy: SortBy): string {
  return `${valueOf(member, sortBy)} ${member.accountId}`;
}

function comparePositions(a: string, b: string): number {
  const [[aValue = '', aId = ''], [bValue = '', bId = '']] = [a.split(' '), b.split(' ')];
  return Number(aValue) - Number(bValue) || (aId < bId ? -1 : aId > bId ? 1 : 0);
}

export const usageTeamLog = defineOperation('GET', 'usage.teamLog', {
  summary: 'Returns the usage of each team member.',
  details: 'Owners and admins see the whole team, members only themselves. Accounts without a team get 403.',
  access: 'account',
  request: z.object({
    limit: queryInteger(1, 100, 20),
    cursor,
    ...dayRange,
    sort_by: z.enum(['task_count', 'credits']).default('task_count'),
    is_asc: queryFlag('Smallest first.'),
  }),
  response: z.object({
    data: z.array(
      z.object({
        user_id: z.string(),
        user_name: z.string(),
        email: z.string(),
        task_count: z.int().meta({ description: 'Number of tasks with a session.' }),
        credits: z.int().meta({ description: 'Session costs minus refunds.' }),
      }),
    ),
    ...pageEnd,
  }),
  async handle({ limit, cursor: from, sort_by: sortBy, is_asc: isAscending, ...range }, context) {
    const args = readDayRange(range, context);
    const { accountId } = context.principal;
    const members = demandTeam(await context.read(readMemberUsage, args));
    const compare = (a: string, b: string) => (isAscending ? comparePositions(a, b) : comparePositions(b, a));
    const sorted = members.toSorted((a, b) => compare(positionOf(a, sortBy), positionOf(b, sortBy)));
    const query = ['usage.teamLog', accountId, range.start_date ?? null, range.end_date ?? null, sortBy, isAscending];
    const { items, end } = await readListPage(
      { query, cursor: from, limit },
      (after, count) => {
        const rest = after === null ? sorted : sorted.filter((member) => compare(positionOf(member, sortBy), after) > 0);
        return Promise.resolve(rest.slice(0, count));
      },
      (member) => positionOf(member, sortBy),
    );
    const data = items.map(({ accountId: id, email, taskCount, credits }) => {
      return { user_id: id, user_name: nameOf(email), email, task_count: taskCount, credits };
    });
    return { data, ...end };
  },
});
