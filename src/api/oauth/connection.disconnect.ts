import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { disconnectApp } from '../../store/oauth/oauth-grants.ts';
import { defineOperation } from '../contract/operation.ts';
import { clientIdField } from './app-object.ts';

export const connectionDisconnect = defineOperation('POST', 'connection.disconnect', {
  summary: 'Revokes everything the account has granted to an application, everywhere within a second.',
  access: 'browser',
  request: z.object({ client_id: clientIdField }),
  response: z.object({ client_id: z.string(), disconnected: z.literal(true) }),
  async handle({ client_id: clientId }, { principal, now, write }) {
    const change = { accountId: principal.accountId, clientId, actor: actorOf(principal), now };
    const wasConnected = await write(disconnectApp, change);
    if (!wasConnected) throw new Fault('not_found', 'that application is not connected');
    return { client_id: clientId, disconnected: true as const };
  },
});
