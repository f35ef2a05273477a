import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { type SessionChoice, signOut } from '../../store/accounts/sessions.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { sessionIdOf } from './session-id.ts';

export const sessionDelete = defineOperation('POST', 'session.delete', {
  summary: 'Signs out this session, another one, or all others, everywhere within a second.',
  access: 'browser',
  request: z.object({
    session_id: optional(z.string()).meta({ description: 'The session to end. Default: this one.' }),
    others: optional(z.boolean()).meta({ description: 'Ends all sessions except this one.' }),
  }),
  response: z.object({ ended: z.int().meta({ description: 'Number of sessions ended.' }) }),
  async handle({ session_id: sessionId, others = false }, { principal, now, write, clearSignIn }) {
    if (others && sessionId !== undefined) throw invalidField('others', 'cannot be combined with session_id');
    const { accountId } = principal;
    const current = sessionIdOf(principal);
    const choice: SessionChoice = others ? { exceptSessionId: current } : { sessionId: sessionId ?? current };
    const ended = await write(signOut, { accountId, choice, actor: actorOf(principal), now });
    if (!others && (sessionId ?? current) === current) clearSignIn();
    if (sessionId !== undefined && ended === 0) throw new Fault('not_found', 'session not found');
    return { ended };
  },
});
