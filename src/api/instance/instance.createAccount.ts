import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { newApiKey, newId } from '@errand/base/ids.ts';
import { plans } from '../../rules/accounts/access.ts';
import { usualQuotas } from '../../rules/accounts/account-status.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { createManagedAccount } from '../../store/instance/managed-accounts.ts';
import { storedKey } from '../../store/accounts/stored-key.ts';
import { readEmail } from '../accounts/email-field.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { readLocale } from '../contract/locale-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { managedAccountObject, presentManaged, quotasField, readQuotas } from './managed-account-object.ts';

/** Where the key is sealed that a repeated request is answered with. */
const sealPlace = 'instance.createAccount api_key';

export const instanceCreateAccount = defineOperation('POST', 'instance.createAccount', {
  summary: 'Creates an account and its first API key.',
  details:
    'A request that is repeated with its `Idempotency-Key` gets the same account and key. An address that has an account is answered with 409.',
  access: 'instance',
  request: z.object({
    email: requiredText('Address of the owner.'),
    plan: optional(z.enum(plans)).meta({ description: 'Default: `pro`.' }),
    quotas: quotasField,
    locale: optional(z.string()).meta({
      description: 'Language of the answers. Default: `en`, with which tasks answer in the language of the message.',
    }),
  }),
  response: z.object({ account: managedAccountObject, api_key: z.string() }),
  async handle(input, context) {
    const { now, principal, write, seal: box } = context;
    if (!box)
      throw new Fault('failed_precondition', 'This process lacks ERRAND_SECRET, with which the new key is kept for a repeat.');
    const secret = newApiKey();
    const { account, sealedKey } = await write(createManagedAccount, {
      account: {
        accountId: newId(now),
        email: readEmail(input.email),
        plan: input.plan ?? 'pro',
        locale: input.locale ? readLocale(input.locale) : 'en',
        createdAtMs: now,
      },
      key: storedKey(secret, 'first key', now),
      quotas: { ...usualQuotas, ...readQuotas(input.quotas) },
      actor: actorOf(principal),
      sealedKey: box.seal(secret, sealPlace),
    });
    return { account: presentManaged(account), api_key: box.open(sealedKey, sealPlace) };
  },
});
