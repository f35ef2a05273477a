import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { deleteApp } from '../../store/oauth/oauth-apps.ts';
import { defineOperation } from '../contract/operation.ts';
import { clientIdField } from './app-object.ts';

export const appDelete = defineOperation('POST', 'app.delete', {
  summary: 'Deletes an OAuth application; all of its tokens stop working immediately.',
  access: 'own',
  request: z.object({ client_id: clientIdField }),
  response: z.object({ client_id: z.string(), deleted: z.literal(true) }),
  async handle({ client_id: clientId }, { principal, now, write }) {
    await write(deleteApp, { accountId: principal.accountId, clientId, actor: actorOf(principal), now });
    return { client_id: clientId, deleted: true as const };
  },
});
