import { z } from 'zod';
import { readRunningLimits } from '../../store/limits/running-limits.ts';
import { defineOperation } from '../contract/operation.ts';
import { limitObject, presentLimit } from './limit-object.ts';

export const limitList = defineOperation('GET', 'limit.list', {
  summary: 'Lists how many tasks of the account, its projects, and its keys run at once, and how many do now.',
  access: 'all_tasks',
  request: z.object({}),
  response: z.object({
    data: z.array(limitObject).meta({ description: 'At most 100.' }),
    has_more: z.literal(false),
    running: z.int().meta({ description: 'How many tasks of the account run now.' }),
    max_running_tasks: z
      .int()
      .nullable()
      .meta({ description: 'What the operator lets the account run at once; null for any number.' }),
  }),
  async handle(_, { principal: { accountId }, usualRunningTasks: usualMost, read }) {
    const { limits, running, most } = await read(readRunningLimits, { accountId, usualMost });
    return { data: limits.map(presentLimit), has_more: false as const, running, max_running_tasks: most };
  },
});
