import { z } from 'zod';
import { randomBase62 } from '../../base/ids.ts';
import { digestSecret } from '../../base/secret.ts';
import { actorOf } from '../../rules/security-event.ts';
import { grantedRoles } from '../../rules/team-role.ts';
import { inviteMember } from '../../store/team-membership.ts';
import { findTeam } from '../../store/teams.ts';
import { readEmail } from '../email-field.ts';
import { optional, requiredText } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const teamInvite = defineOperation({
  name: 'team.invite',
  method: 'POST',
  summary: 'Makes an invitation into a team; its token is shown this once, works once, and for seven days.',
  details: 'An earlier invitation of the same address is void.',
  access: 'operator',
  cost: 'write',
  hasSecret: true,
  request: z.object({
    team: requiredText('Id of the team, or its name.'),
    email: requiredText('Address of the account that may accept.'),
    role: optional(z.enum(grantedRoles)).meta({ description: 'Default: `member`.' }),
  }),
  response: z.object({
    token: z.string(),
    team_id: z.string(),
    email: z.string(),
    role: z.enum(grantedRoles),
    expires_at: z.int().meta({ description: 'Unix time in seconds.' }),
  }),
  async handle(input, { principal, now, read, write }) {
    const { id: teamId } = await read(findTeam, input.team);
    const [email, role, token] = [readEmail(input.email), input.role ?? ('member' as const), randomBase62(43)];
    const change = { teamId, actorId: null, actor: actorOf(principal), now };
    const { expiresAtMs } = await write(inviteMember, { ...change, email, role, digest: digestSecret(token) });
    return { token, team_id: teamId, email, role, expires_at: Math.floor(expiresAtMs / 1000) };
  },
});
