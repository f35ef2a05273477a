import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { hasPassword } from '../../store/accounts/account-passwords.ts';
import { unlinkIdentity } from '../../store/accounts/identities.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const identityUnlink = defineOperation('POST', 'identity.unlink', {
  summary: 'Unlinks a single sign-on identity from the account. Open sessions stay open.',
  details:
    'Refused if the account has no password, so that nobody is locked out. A verified e-mail address links the account again at the next sign-in.',
  access: 'own',
  request: z.object({ issuer: requiredText('Issuer of the provider, as identity.list shows it.') }),
  response: z.object({ issuer: z.string(), deleted: z.literal(true) }),
  async handle({ issuer }, { principal, now, read, write }) {
    const { accountId, via } = principal;
    if (via.kind === 'session' && !(await read(hasPassword, { accountId }))) {
      throw new Fault('failed_precondition', 'This account has no password, so nobody could sign in to it anymore.');
    }
    // PostgreSQL cannot store this character, so no issuer contains it.
    if (issuer.includes('\0')) throw new Fault('not_found', 'identity not found');
    await write(unlinkIdentity, { accountId, issuer, actor: actorOf(principal), now });
    return { issuer, deleted: true as const };
  },
});
