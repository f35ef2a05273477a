import { z } from 'zod';
import { withdrawInvitation } from '../../../store/accounts/team-invitations.ts';
import { readEmail } from '../email-field.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { actorIdOf, readTeamId, teamReference } from './team-target.ts';

export const teamWithdraw = defineOperation('POST', 'team.withdraw', {
  summary: 'Withdraws a team invitation.',
  details: 'Requires the owner or an admin.',
  access: 'own',
  request: z.object({ team: teamReference, email: requiredText('The invited address.') }),
  response: z.object({ team_id: z.string(), email: z.string() }),
  async handle(input, context) {
    const [teamId, email] = [await readTeamId(input.team, context), readEmail(input.email)];
    await context.write(withdrawInvitation, { teamId, actorId: actorIdOf(context), email });
    return { team_id: teamId, email };
  },
});
