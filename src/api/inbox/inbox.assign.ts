import { z } from 'zod';
import { assignItem } from '../../store/inbox/inbox-decisions.ts';
import { defineOperation } from '../contract/operation.ts';
import { itemId, keyOfItem } from './inbox-item.ts';

export const inboxAssign = defineOperation('POST', 'inbox.assign', {
  summary: 'Names the member of the team who should decide an item; that member can then decide it.',
  details: 'The task must be shared with the team (`share_visibility: team`), unless you assign the item to yourself.',
  access: 'all_tasks',
  request: z.object({
    id: itemId,
    account_id: z
      .string()
      .nullable()
      .meta({ description: 'Identifier of the member’s account; null takes the assignment back.' }),
  }),
  response: z.object({ id: z.string() }),
  async handle({ id, account_id: assignee }, context) {
    await context.write(assignItem, { ...keyOfItem(id, context), assignee, now: context.now });
    return { id };
  },
});
