import { z } from 'zod';
import { securityEventKinds } from '../../rules/accounts/security-event.ts';
import { listSecurityEvents } from '../../store/accounts/security-events.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

export const auditList = defineOperation('GET', 'audit.list', {
  summary: "Lists the account's security events of the last 400 days, newest first.",
  access: 'own',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(securityEventKinds),
        actor: z.string().meta({ description: 'Who acted: `operator`, or the kind and id of a credential.' }),
        detail: z.record(z.string(), z.string()),
        created_at: unixTime,
      }),
    ),
    ...pageEnd,
  }),
  async handle({ limit, cursor: from }, { principal: { accountId }, read }) {
    const { items, end } = await readListPage(
      { query: ['audit.list', accountId], cursor: from, limit },
      (beforeId, count) => read(listSecurityEvents, { accountId, beforeId, limit: count }),
      ({ id }) => id,
    );
    const data = items.map(({ id, kind, actor, detail, atMs }) => ({
      id,
      kind,
      actor,
      detail,
      created_at: toUnixTime(atMs),
    }));
    return { data, ...end };
  },
});
