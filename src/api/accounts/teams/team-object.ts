import { z } from 'zod';
import { teamRoles } from '../../../rules/accounts/team-role.ts';
import type { Team, TeamMember } from '../../../store/accounts/teams.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

export const teamObject = z
  .object({ id: z.string(), name: z.string(), member_count: z.int(), created_at: unixTime })
  .meta({ id: 'Team' });

export const teamMember = z
  .object({
    account_id: z.string(),
    email: z.string(),
    role: z.enum(teamRoles),
    joined_at: unixTime,
    has_two_step: z.boolean().nullable().meta({
      description: 'Whether the member signs in with a second step; null for callers who are neither owner nor admin.',
    }),
  })
  .meta({ id: 'TeamMember' });

export function presentTeam(team: Team & { memberCount: number }): z.input<typeof teamObject> {
  const { id, name, memberCount, createdAtMs } = team;
  return { id, name, member_count: memberCount, created_at: toUnixTime(createdAtMs) };
}

export function presentMember({ accountId, email, role, joinedAtMs, hasTwoStep }: TeamMember): z.input<typeof teamMember> {
  return { account_id: accountId, email, role, joined_at: toUnixTime(joinedAtMs), has_two_step: hasTwoStep };
}
