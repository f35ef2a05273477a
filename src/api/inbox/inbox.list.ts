import { z } from 'zod';
import { inboxItemId, inboxTypes, parseInboxItemId } from '../../rules/inbox/inbox-item.ts';
import { listDecidedItems, listOpenItems } from '../../store/inbox/inbox-items.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { inboxItemObject, presentInboxItem } from './inbox-item.ts';

export const inboxList = defineOperation('GET', 'inbox.list', {
  summary: 'Lists what waits for a person in all tasks of the account, and in tasks that members of its team share.',
  details: 'Newest tasks first. `decided` lists what was decided about own tasks, in the inbox or elsewhere, and by whom.',
  access: 'all_tasks',
  request: z.object({
    type: z.enum(inboxTypes).optional(),
    status: z.enum(['open', 'decided']).default('open'),
    limit: queryInteger(1, 100, 20),
    cursor,
  }),
  response: z.object({ data: z.array(inboxItemObject), ...pageEnd }),
  async handle({ type = null, status, limit, cursor: from }, { principal, read }) {
    const { accountId } = principal;
    const { items, end } = await readListPage(
      { query: ['inbox.list', accountId, type, status], cursor: from, limit },
      (position, count) => {
        const last = position === null ? null : parseInboxItemId(position);
        const page = { accountId, type, beforeTaskId: last?.taskId ?? null, limit: count };
        return status === 'open' ? read(listOpenItems, page) : read(listDecidedItems, { ...page, beforeSeq: last?.seq ?? null });
      },
      ({ taskId, seq }) => inboxItemId(taskId, seq),
    );
    return { data: items.map(presentInboxItem), ...end };
  },
});
