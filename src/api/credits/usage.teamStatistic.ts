import { z } from 'zod';
import { readTeamDays } from '../../store/credits/team-usage.ts';
import { defineOperation } from '../contract/operation.ts';
import { dayRange, demandTeam, readDayRange } from './team-usage-fields.ts';

export const usageTeamStatistic = defineOperation('GET', 'usage.teamStatistic', {
  summary: "Returns the team's credit usage per day, oldest first. Days without usage are omitted.",
  details: 'Owners and admins see the whole team, members only themselves. Accounts without a team get 403.',
  access: 'account',
  request: z.object(dayRange),
  response: z.object({
    data: z.array(
      z.object({
        date: z.int().meta({ description: 'Midnight UTC of the day, Unix time in seconds.' }),
        credits: z.int().meta({ description: 'Session costs minus refunds.' }),
      }),
    ),
  }),
  async handle(input, context) {
    const days = demandTeam(await context.read(readTeamDays, readDayRange(input, context)));
    return { data: days.map(({ dayMs, credits }) => ({ date: dayMs / 1000, credits })) };
  },
});
