import { z } from 'zod';
import { grantedRoles } from '../../rules/team-role.ts';
import { changeRole } from '../../store/team-membership.ts';
import { requiredText } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { readTarget } from './team-target.ts';

export const teamSetRole = defineOperation({
  name: 'team.setRole',
  method: 'POST',
  summary: 'Makes a member of a team an admin, or an admin a member.',
  access: 'operator',
  cost: 'write',
  request: z.object({
    team: requiredText('Id of the team, or its name.'),
    member: requiredText('E-mail address or id of the account.'),
    role: z.enum(grantedRoles),
  }),
  response: z.object({ team_id: z.string(), account_id: z.string() }),
  async handle(input, context) {
    const target = await readTarget(input, context);
    await context.write(changeRole, { ...target, role: input.role });
    return { team_id: target.teamId, account_id: target.accountId };
  },
});
