import { z } from 'zod';
import { listTeamMembers } from '../../../store/accounts/teams.ts';
import { defineOperation } from '../../contract/operation.ts';
import { presentMember, teamMember } from './team-object.ts';
import { actorIdOf, readTeamId, teamReference } from './team-target.ts';

export const teamMembers = defineOperation('GET', 'team.members', {
  summary: 'Lists the members of a team, owner first.',
  access: 'own',
  request: z.object({ team: teamReference }),
  response: z.object({ team_id: z.string(), data: z.array(teamMember) }),
  async handle({ team }, context) {
    const teamId = await readTeamId(team, context);
    const members = await context.read(listTeamMembers, { teamId, actorId: actorIdOf(context) });
    return { team_id: teamId, data: members.map(presentMember) };
  },
});
