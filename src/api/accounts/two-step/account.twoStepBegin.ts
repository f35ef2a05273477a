import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { encodeBase32, totpUri } from '../../../rules/accounts/totp.ts';
import { sealedPlaces } from '../../../rules/instance/sealed-places.ts';
import { hasPassword } from '../../../store/accounts/account-passwords.ts';
import { beginTwoStep } from '../../../store/accounts/two-step/authenticators.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readOwnAccount } from '../account-object.ts';
import { checkOwnPassword } from '../own-password.ts';
import { openSeal, ownPassword } from './two-step-fields.ts';

/** The length of the HMAC that makes the codes (RFC 4226). */
const secretBytes = 20;

export const accountTwoStepBegin = defineOperation('POST', 'account.twoStepBegin', {
  summary:
    'Makes the secret for an authenticator app. Two-step sign-in is on once account.twoStepConfirm has received a code of it.',
  details: 'Replaces a secret that was never confirmed. Answers 412 if two-step sign-in is on, or the account has no password.',
  access: 'browser',
  hasSecret: true,
  request: z.object({ password: ownPassword }),
  response: z.object({
    setup_id: z.string(),
    secret: z.string().meta({ description: 'The secret in Base32, to be typed into the app.' }),
    uri: z.string().meta({ description: 'A URI with the secret, for a QR code.' }),
  }),
  async handle({ password }, context) {
    const { principal, now, read, write, urls } = context;
    const { accountId } = principal;
    const seal = openSeal(context);
    if (!(await read(hasPassword, { accountId }))) {
      throw new Fault('failed_precondition', 'This account has no password, which is the first of the two steps; set one first.');
    }
    await checkOwnPassword(password, 'password', context);
    const { email } = await readOwnAccount(context);
    const [id, bytes] = [newId(now), randomBytes(secretBytes)];
    const sealedSecret = seal.seal(bytes.toString('base64'), sealedPlaces.authenticator(id));
    await write(beginTwoStep, { accountId, id, sealedSecret, now });
    const secret = encodeBase32(bytes);
    return { setup_id: id, secret, uri: totpUri(secret, { email, site: new URL(urls.page('/')).host }) };
  },
});
