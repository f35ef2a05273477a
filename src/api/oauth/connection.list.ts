import { z } from 'zod';
import { scopes } from '../../rules/accounts/access.ts';
import { appKinds } from '../../rules/oauth/oauth-policy.ts';
import { listConnectedApps } from '../../store/oauth/oauth-grants.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

export const connectionList = defineOperation('GET', 'connection.list', {
  summary: 'Lists the applications that have access to the account.',
  access: 'browser',
  request: z.object({}),
  response: z.object({
    data: z.array(
      z.object({
        client_id: z.string(),
        name: z.string(),
        homepage: z.string().nullable(),
        type: z.enum(appKinds).meta({ description: 'Trusted applications have full access, whatever their scopes.' }),
        scopes: z.array(z.enum(scopes)),
        connected_at: unixTime,
      }),
    ),
  }),
  async handle(_, { principal, now, read }) {
    const apps = await read(listConnectedApps, { accountId: principal.accountId, now });
    const data = apps.map(({ clientId, name, homepage, kind, scopes: granted, connectedAtMs }) => ({
      ...{ client_id: clientId, name, homepage, type: kind, scopes: [...granted] },
      connected_at: toUnixTime(connectedAtMs),
    }));
    return { data };
  },
});
