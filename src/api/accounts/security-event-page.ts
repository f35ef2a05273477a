import { z } from 'zod';
import { securityEventKinds } from '../../rules/accounts/security-event.ts';
import { listSecurityEvents } from '../../store/accounts/security-events.ts';
import { pageEnd } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A page of a security record. */
export const securityEventPage = z.object({
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
});

interface EventQuery {
  accountId: string;
  limit: number;
  from: string | undefined;
}

/** The events of one record, newest first. */
export async function listEventPage({ accountId, limit, from }: EventQuery, read: Context['read']) {
  const { items, end } = await readListPage(
    { query: ['audit.list', accountId], cursor: from, limit },
    (beforeId, count) => read(listSecurityEvents, { accountId, beforeId, limit: count }),
    ({ id }) => id,
  );
  const data = items.map(({ id, kind, actor, detail, atMs }) => ({ id, kind, actor, detail, created_at: toUnixTime(atMs) }));
  return { data, ...end };
}
