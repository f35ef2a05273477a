import { z } from 'zod';
import { grantedRoles } from '../../../rules/accounts/team-role.ts';
import { changeRole } from '../../../store/accounts/team-membership.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readMemberId, readTeamChange, teamReference } from './team-target.ts';

export const teamSetRole = defineOperation('POST', 'team.setRole', {
  summary: "Changes a team member's role to admin or member.",
  access: 'own',
  request: z.object({
    team: teamReference,
    member: requiredText('Id of the account; the operator may give its e-mail address.'),
    role: z.enum(grantedRoles),
  }),
  response: z.object({ team_id: z.string(), account_id: z.string() }),
  async handle(input, context) {
    const [change, accountId] = [await readTeamChange(input.team, context), await readMemberId(input.member, context)];
    await context.write(changeRole, { ...change, accountId, role: input.role });
    return { team_id: change.teamId, account_id: accountId };
  },
});
