import { z } from 'zod';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { listEventPage, securityEventPage } from '../accounts/security-event-page.ts';
import { cursor, queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const instanceListEvents = defineOperation('GET', 'instance.listEvents', {
  summary: 'Lists what was done to the instance and its accounts in the last 400 days, newest first.',
  access: 'instance',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: securityEventPage,
  handle: ({ limit, cursor: from }, { read }) => listEventPage({ accountId: instanceRecord, limit, from }, read),
});
