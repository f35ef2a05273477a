import { z } from 'zod';
import { listSessions } from '../../store/sessions.ts';
import { defineOperation } from '../operation.ts';
import { sessionIdOf } from './session-id.ts';

const unixSeconds = z.int().meta({ description: 'Unix time in seconds.' });

export const sessionList = defineOperation({
  name: 'session.list',
  method: 'GET',
  summary: 'Lists the browsers at which the account is signed in, the latest first.',
  access: 'browser',
  cost: 'read',
  request: z.object({}),
  response: z.object({
    data: z.array(z.object({ id: z.string(), created_at: unixSeconds, expires_at: unixSeconds, is_current: z.boolean() })),
  }),
  async handle(_, { principal, now, read }) {
    const current = sessionIdOf(principal);
    const sessions = await read(listSessions, { accountId: principal.accountId, now });
    const data = sessions.map(({ id, createdAtMs, expiresAtMs }) => ({
      id,
      created_at: Math.floor(createdAtMs / 1000),
      expires_at: Math.floor(expiresAtMs / 1000),
      is_current: id === current,
    }));
    return { data };
  },
});
