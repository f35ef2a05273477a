import { z } from 'zod';
import { findTeam, listTeamMembers } from '../../store/teams.ts';
import { requiredText } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { presentMember, teamMember } from './team-object.ts';

export const teamMembers = defineOperation({
  name: 'team.members',
  method: 'GET',
  summary: 'Lists the members of a team, its owner first.',
  access: 'operator',
  cost: 'read',
  request: z.object({ team: requiredText('Id of the team, or its name.') }),
  response: z.object({ team_id: z.string(), data: z.array(teamMember) }),
  async handle({ team }, { read }) {
    const { id: teamId } = await read(findTeam, team);
    const members = await read(listTeamMembers, { teamId, actorId: null });
    return { team_id: teamId, data: members.map(presentMember) };
  },
});
