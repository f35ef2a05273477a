import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { newPasswordLink } from '../../store/accounts/recovery/new-password-link.ts';
import { createPasswordLink } from '../../store/accounts/recovery/password-links.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { accountReference, readManaged } from './managed-account-object.ts';

export const instanceCreatePasswordLink = defineOperation('POST', 'instance.createPasswordLink', {
  summary: 'Creates a link with which the user of an account sets a new password. The link is shown once.',
  details:
    'It works once, for 30 minutes, also for an account that never had a password. Setting the password signs the user out of all browsers; API keys and connected apps keep working.',
  access: 'instance',
  hasSecret: true,
  request: z.object({ account_id: accountReference }),
  response: z.object({
    url: z.string().meta({ description: 'Whoever has it can set the password: send it to the owner of the account alone.' }),
    expires_at: unixTime,
  }),
  async handle({ account_id }, context) {
    const { now, principal, write, urls, acceptsPasswords } = context;
    if (!acceptsPasswords) {
      throw new Fault('failed_precondition', 'Password sign-in is turned off (ERRAND_PASSWORD_SIGN_IN).');
    }
    const { accountId } = await readManaged(account_id, context);
    const { path, digest, expiresAtMs } = newPasswordLink(accountId, now);
    const by = { isForInstance: true, actor: actorOf(principal), detail: {} };
    await write(createPasswordLink, { accountId, digest, expiresAtMs, ...by, now });
    return { url: urls.page(path), expires_at: toUnixTime(expiresAtMs) };
  },
});
