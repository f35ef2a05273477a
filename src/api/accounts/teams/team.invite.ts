import { z } from 'zod';
import { randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { grantedRoles } from '../../../rules/accounts/team-role.ts';
import { inviteMember } from '../../../store/accounts/team-membership.ts';
import { readEmail } from '../email-field.ts';
import { optional, requiredText } from '../../contract/fields.ts';
import { type Context, defineOperation } from '../../contract/operation.ts';
import { isInstanceOwner } from '../session-id.ts';
import { isOperator } from '../../../rules/accounts/access.ts';
import { readTeamChange, teamReference } from './team-target.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

/**
 * Whether an invitation of this caller makes an account: owners of the instance and its operator could make one anyway. Where a provider signs
 * people in, others cannot, because they would claim the addresses of colleagues before these come from the provider.
 */
function mayMakeAccounts({ principal, acceptsPasswords, hasTeamSignUp, provider }: Context): boolean {
  const mayAnyway = isInstanceOwner(principal) || isOperator(principal);
  return acceptsPasswords && (mayAnyway || (hasTeamSignUp && provider === null));
}

export const teamInvite = defineOperation('POST', 'team.invite', {
  summary: 'Creates a team invitation. Its token is shown once and can be used once within seven days.',
  details:
    'Replaces an earlier invitation for the same address. An invitation of an owner of the instance also makes an account for somebody who has none; those of others only with ERRAND_TEAM_SIGN_UP.',
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
    makes_account: z.boolean().meta({ description: 'Whether its link also makes an account, if the address has none yet.' }),
  }),
  async handle(input, context) {
    const change = await readTeamChange(input.team, context);
    const [email, role, token] = [readEmail(input.email), input.role ?? ('member' as const), randomBase62(43)];
    const makesAccount = mayMakeAccounts(context);
    const invitation = { email, role, digest: digestSecret(token), makesAccount };
    const { expiresAtMs } = await context.write(inviteMember, { ...change, ...invitation });
    return { token, team_id: change.teamId, email, role, expires_at: toUnixTime(expiresAtMs), makes_account: makesAccount };
  },
});
