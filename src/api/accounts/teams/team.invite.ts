import { z } from 'zod';
import { randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { grantedRoles } from '../../../rules/accounts/team-role.ts';
import { inviteMember } from '../../../store/accounts/team-membership.ts';
import { readEmail } from '../email-field.ts';
import { optional, requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readTeamChange, teamReference } from './team-target.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

export const teamInvite = defineOperation('POST', 'team.invite', {
  summary: 'Creates a team invitation. Its token is shown once and can be used once within seven days.',
  details: 'Replaces an earlier invitation for the same address.',
  access: 'own',
  hasSecret: true,
  request: z.object({
    team: teamReference,
    email: requiredText('Address of the account that may accept.'),
    role: optional(z.enum(grantedRoles)).meta({ description: 'Default: `member`.' }),
  }),
  response: z.object({
    token: z.string(),
    team_id: z.string(),
    email: z.string(),
    role: z.enum(grantedRoles),
    expires_at: unixTime,
  }),
  async handle(input, context) {
    const change = await readTeamChange(input.team, context);
    const [email, role, token] = [readEmail(input.email), input.role ?? ('member' as const), randomBase62(43)];
    const { expiresAtMs } = await context.write(inviteMember, { ...change, email, role, digest: digestSecret(token) });
    return { token, team_id: change.teamId, email, role, expires_at: toUnixTime(expiresAtMs) };
  },
});
