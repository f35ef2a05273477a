import { z } from 'zod';
import { listTeams } from '../../../store/accounts/teams.ts';
import { cursor, pageEnd, queryInteger } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readListPage } from '../../contract/list-page.ts';
import { presentTeam, teamObject } from './team-object.ts';

export const teamList = defineOperation('GET', 'team.list', {
  summary: 'Lists the teams of this instance, oldest first.',
  access: 'operator',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(teamObject), ...pageEnd }),
  async handle({ limit, cursor: from }, { read }) {
    const { items, end } = await readListPage(
      { query: ['team.list'], cursor: from, limit },
      (afterId, count) => read(listTeams, { afterId: afterId ?? '', limit: count }),
      ({ id }) => id,
    );
    return { data: items.map(presentTeam), ...end };
  },
});
