import { z } from 'zod';
import { removeMember } from '../../store/team-membership.ts';
import { requiredText } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { readTarget } from './team-target.ts';

export const teamRemove = defineOperation({
  name: 'team.remove',
  method: 'POST',
  summary: 'Takes a member out of a team; what it shared with the team is shared no longer.',
  access: 'operator',
  cost: 'write',
  request: z.object({
    team: requiredText('Id of the team, or its name.'),
    member: requiredText('E-mail address or id of the account.'),
  }),
  response: z.object({ team_id: z.string(), account_id: z.string() }),
  async handle(input, context) {
    const target = await readTarget(input, context);
    await context.write(removeMember, target);
    return { team_id: target.teamId, account_id: target.accountId };
  },
});
