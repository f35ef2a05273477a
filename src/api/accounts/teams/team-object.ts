import { z } from 'zod';
import { teamRoles } from '../../../rules/accounts/team-role.ts';
import type { Team, TeamMember } from '../../../store/accounts/teams.ts';

const unixSeconds = z.int().meta({ description: 'Unix time in seconds.' });

export const teamObject = z
  .object({ id: z.string(), name: z.string(), member_count: z.int(), created_at: unixSeconds })
  .meta({ id: 'Team' });

export const teamMember = z
  .object({ account_id: z.string(), email: z.string(), role: z.enum(teamRoles), joined_at: unixSeconds })
  .meta({ id: 'TeamMember' });

export function presentTeam(team: Team & { memberCount: number }): z.input<typeof teamObject> {
  const { id, name, memberCount, createdAtMs } = team;
  return { id, name, member_count: memberCount, created_at: Math.floor(createdAtMs / 1000) };
}

export function presentMember({ accountId, email, role, joinedAtMs }: TeamMember): z.input<typeof teamMember> {
  return { account_id: accountId, email, role, joined_at: Math.floor(joinedAtMs / 1000) };
}
