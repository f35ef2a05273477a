import { z } from 'zod';
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
    const data = sessions.map(({ id, browser, createdAtMs, lastUsedAtMs, expiresAtMs }) => ({
      id,
      browser,
      last_used_at: lastUsedAtMs === null ? null : toUnixTime(lastUsedAtMs),
      created_at: toUnixTime(createdAtMs),
      expires_at: toUnixTime(expiresAtMs),
      is_current: id === current,
    }));
    return { data };
  },
});
