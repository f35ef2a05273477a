import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { linkIdentity } from '../../store/accounts/identities.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

const longest = 255;

export const identityLink = defineOperation('POST', 'identity.link', {
  summary: "Links a provider's subject to the account, so that this person can sign in whatever their e-mail address.",
  access: 'operator',
  request: z.object({
    subject: requiredText('Who it is to the provider: the claim `sub`.'),
    issuer: optional(z.string()).meta({ description: 'Default: the configured provider.' }),
  }),
  response: z.object({ account_id: z.string(), issuer: z.string(), subject: z.string() }),
  async handle({ subject, issuer: named }, { principal, provider, now, write }) {
    const issuer = named?.replace(/\/$/, '') ?? provider?.issuer;
    if (issuer === undefined) throw invalidField('issuer', 'is needed where no provider is set up');
    if (subject.length > longest || /\p{Cc}/u.test(subject))
      throw invalidField('subject', `must have at most ${longest} characters`);
    if (issuer.length > 1000 || !URL.canParse(issuer)) throw invalidField('issuer', 'must be an address');
    const { accountId } = principal;
    await write(linkIdentity, { accountId, issuer, subject, email: null, actor: actorOf(principal), now });
    return { account_id: accountId, issuer, subject };
  },
});
