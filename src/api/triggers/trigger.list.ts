import { z } from 'zod';
import { listTriggers } from '../../store/triggers/triggers.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentTrigger, triggerObject } from './trigger-object.ts';

export const triggerList = defineOperation('GET', 'trigger.list', {
  summary: "Lists the account's triggers, newest first.",
  access: 'all_tasks',
  // The URL of a trigger starts tasks.
  hasSecret: true,
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(triggerObject), ...pageEnd }),
  async handle({ limit, cursor: from }, context) {
    const { accountId } = context.principal;
    const { items, end } = await readListPage(
      { query: ['trigger.list', accountId], cursor: from, limit },
      (beforeId, count) => context.read(listTriggers, { accountId, beforeId, limit: count }),
      ({ id }) => id,
    );
    return { data: items.map((trigger) => presentTrigger(trigger, context)), ...end };
  },
});
