import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { describeNewPasskey } from '@errand/base/secrets/passkeys.ts';
import { hasPassword } from '../../../store/accounts/account-passwords.ts';
import { listPasskeys } from '../../../store/accounts/passkeys/passkeys.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readOwnAccount } from '../account-object.ts';
import { checkOwnPassword } from '../own-password.ts';
import { openPasskeySeal, type PasskeySetup, placeOfSetup, requirePasskeySite } from './passkey-fields.ts';

/** How long people may take to find their security key. */
const setupMs = 10 * 60 * 1000;
const challengeBytes = 32;

export const accountPasskeyBegin = defineOperation('POST', 'account.passkeyBegin', {
  summary: 'Asks for the password and returns what the browser needs to make a passkey, to be added with account.passkeyAdd.',
  details: 'Answers 412 where this service has no passkeys, and for an account without a password.',
  access: 'browser',
  hasSecret: true,
  request: z.object({ password: requiredText("The account's password.") }),
  response: z.object({
    setup_id: z.string().meta({ description: 'Valid for 10 minutes.' }),
    options: z.record(z.string(), z.unknown()).meta({
      description: 'The options for `PublicKeyCredential.parseCreationOptionsFromJSON()` of the browser.',
    }),
  }),
  async handle({ password }, context) {
    const { principal, now, read } = context;
    const { accountId } = principal;
    const site = requirePasskeySite(context);
    const seal = openPasskeySeal(context);
    if (!(await read(hasPassword, { accountId }))) {
      throw new Fault('failed_precondition', 'This account has no password, which protects its passkeys; set one first.');
    }
    await checkOwnPassword(password, 'password', context);
    const [{ email }, known] = await Promise.all([readOwnAccount(context), read(listPasskeys, { accountId })]);
    const challenge = randomBytes(challengeBytes).toString('base64url');
    const setup: PasskeySetup = { challenge, endsAtMs: now + setupMs };
    const options = describeNewPasskey({ site, challenge, userId: accountId, email, known });
    return { setup_id: seal.seal(JSON.stringify(setup), placeOfSetup(accountId)), options: { ...options } };
  },
});
