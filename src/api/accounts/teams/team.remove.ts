import { z } from 'zod';
import { checkMayRemove } from '../../../rules/accounts/team-role.ts';
import { listTeamsOf } from '../../../store/accounts/current-team.ts';
import { removeMember } from '../../../store/accounts/team-membership.ts';
import { requiredText } from '../../contract/fields.ts';
import { type Context, defineOperation } from '../../contract/operation.ts';
import { nameTasksBefore, readMemberId, readTeamChange, type TeamChange, teamReference } from './team-target.ts';

/** Makes the removal short if the caller may remove the member; if not, leaves it to the removal to say so. */
async function prepare({ teamId, actorId }: TeamChange, accountId: string, context: Context): Promise<void> {
  const find = async (id: string) => (await context.read(listTeamsOf, id)).find((team) => team.id === teamId);
  const member = await find(accountId);
  const actor = actorId === null ? 'operator' : (await find(actorId))?.role;
  if (!member?.isCurrent || actor === undefined) return;
  checkMayRemove(actor, member.role, actorId === accountId);
  await nameTasksBefore(accountId, teamId, context);
}

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
    await prepare(change, accountId, context);
    await context.write(removeMember, { ...change, accountId });
    return { team_id: change.teamId, account_id: accountId };
  },
});
