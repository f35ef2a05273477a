import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { signOut } from '../../store/accounts/sessions.ts';
import { defineOperation } from '../contract/operation.ts';

export const accountSignOut = defineOperation('POST', 'account.signOut', {
  summary: "Ends all sessions of the account's user within a second.",
  access: 'operator',
  request: z.object({}),
  response: z.object({ account_id: z.string(), ended: z.int().meta({ description: 'Number of sessions ended.' }) }),
  async handle(_, { principal, now, write }) {
    const { accountId } = principal;
    const ended = await write(signOut, { accountId, choice: { exceptSessionId: null }, actor: actorOf(principal), now });
    return { account_id: accountId, ended };
  },
});
