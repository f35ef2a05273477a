import { z } from 'zod';
import { grantedRoles } from '../../../rules/accounts/team-role.ts';
import { listInvitations } from '../../../store/accounts/team-invitations.ts';
import { defineOperation } from '../../contract/operation.ts';
import { actorIdOf, readTeamId, teamReference } from './team-target.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

export const teamInvitations = defineOperation('GET', 'team.invitations', {
  summary: "Lists a team's pending invitations by e-mail address.",
  details: 'Requires the owner or an admin.',
  access: 'own',
  request: z.object({ team: teamReference }),
  response: z.object({
    team_id: z.string(),
    data: z.array(z.object({ email: z.string(), role: z.enum(grantedRoles), created_at: unixTime, expires_at: unixTime })),
  }),
  async handle({ team }, context) {
    const teamId = await readTeamId(team, context);
    const open = await context.read(listInvitations, { teamId, actorId: actorIdOf(context), now: context.now });
    const data = open.map(({ email, role, createdAtMs, expiresAtMs }) => ({
      email,
      role,
      created_at: toUnixTime(createdAtMs),
      expires_at: toUnixTime(expiresAtMs),
    }));
    return { team_id: teamId, data };
  },
});
