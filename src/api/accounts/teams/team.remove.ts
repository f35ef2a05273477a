import { z } from 'zod';
import { removeMember } from '../../../store/accounts/team-membership.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readMemberId, readTeamChange, teamReference } from './team-target.ts';

export const teamRemove = defineOperation('POST', 'team.remove', {
  summary: 'Removes a member from a team; the team loses access to the tasks that member shared.',
  access: 'own',
  request: z.object({
    team: teamReference,
    member: requiredText('Id of the account; the operator may give its e-mail address.'),
  }),
  response: z.object({ team_id: z.string(), account_id: z.string() }),
  async handle(input, context) {
    const [change, accountId] = [await readTeamChange(input.team, context), await readMemberId(input.member, context)];
    await context.write(removeMember, { ...change, accountId });
    return { team_id: change.teamId, account_id: accountId };
  },
});
