import { z } from 'zod';
import { networkKindOf, networks } from '@errand/base/net/address-block.ts';
import { listSessions } from '../../store/accounts/sessions.ts';
import { defineOperation } from '../contract/operation.ts';
import { sessionIdOf } from './session-id.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

export const sessionList = defineOperation('GET', 'session.list', {
  summary: 'Lists the browsers at which the account is signed in, the latest first.',
  access: 'browser',
  request: z.object({}),
  response: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        browser: z.string().nullable().meta({ description: "The browser's name, such as `Firefox on Linux`." }),
        address: z.string().nullable().meta({ description: 'The network address it signed in from.' }),
        network: z.enum(networks).nullable().meta({
          description: '`local`: this machine. `private`: a private network. `public`: the Internet.',
        }),
        created_at: unixTime,
        last_used_at: unixTime.nullable().meta({ description: 'Accurate to 15 minutes.' }),
        expires_at: unixTime,
        is_current: z.boolean(),
      }),
    ),
  }),
  async handle(_, { principal, now, read }) {
    const current = sessionIdOf(principal);
    const sessions = await read(listSessions, { accountId: principal.accountId, now });
    const data = sessions.map(({ id, browser, address, createdAtMs, lastUsedAtMs, expiresAtMs }) => ({
      id,
      browser,
      address,
      network: address === null ? null : networkKindOf(address),
      last_used_at: lastUsedAtMs === null ? null : toUnixTime(lastUsedAtMs),
      created_at: toUnixTime(createdAtMs),
      expires_at: toUnixTime(expiresAtMs),
      is_current: id === current,
    }));
    return { data };
  },
});
