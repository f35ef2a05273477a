import { z } from 'zod';
import { listTeams } from '../../store/teams.ts';
import { cursor, pageEnd, queryInteger } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { readPage } from '../page.ts';
import { presentTeam, teamObject } from '../account/team-object.ts';

export const teamList = defineOperation({
  name: 'team.list',
  method: 'GET',
  summary: 'Lists the teams of this instance, oldest first.',
  access: 'operator',
  cost: 'read',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(teamObject), ...pageEnd }),
  async handle({ limit, cursor: from }, { read }) {
    const { items, end } = await readPage(
      { query: ['team.list'], cursor: from, limit },
      (afterId, count) => read(listTeams, { afterId: afterId ?? '', limit: count }),
      ({ id }) => id,
    );
    return { data: items.map(presentTeam), ...end };
  },
});
