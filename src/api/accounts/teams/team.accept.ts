import { z } from 'zod';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { teamRoles } from '../../../rules/accounts/team-role.ts';
import { acceptInvitation } from '../../../store/accounts/team-membership.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { actorIdOf } from './team-target.ts';

export const teamAccept = defineOperation('POST', 'team.accept', {
  summary: 'Accepts a team invitation for the account with the invited e-mail address.',
  access: 'own',
  hasSecret: true,
  request: z.object({ token: requiredText('The token of the invitation.') }),
  response: z.object({ team_id: z.string(), team: z.string(), account_id: z.string(), role: z.enum(teamRoles) }),
  async handle({ token }, context) {
    const { principal, now, write } = context;
    const actor = actorOf(principal);
    const joined = await write(acceptInvitation, { digest: digestSecret(token), accountId: actorIdOf(context), actor, now });
    return { team_id: joined.teamId, team: joined.team, account_id: joined.accountId, role: joined.role };
  },
});
