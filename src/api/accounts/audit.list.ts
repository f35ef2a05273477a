import { z } from 'zod';
import { cursor, queryInteger } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { listEventPage, securityEventPage } from './security-event-page.ts';

export const auditList = defineOperation('GET', 'audit.list', {
  summary: "Lists the account's security events of the last 400 days, newest first.",
  access: 'own',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: securityEventPage,
  handle: ({ limit, cursor: from }, { principal: { accountId }, read }) => listEventPage({ accountId, limit, from }, read),
});
