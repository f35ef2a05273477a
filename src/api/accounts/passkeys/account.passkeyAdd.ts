import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { readNewPasskey } from '@errand/base/secrets/passkeys.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { addPasskey } from '../../../store/accounts/passkeys/passkeys.ts';
import { requiredText } from '../../contract/fields.ts';
import { type Context, defineOperation } from '../../contract/operation.ts';
import {
  describePasskey,
  openPasskeySeal,
  passkeyObject,
  type PasskeySetup,
  placeOfSetup,
  requirePasskeySite,
} from './passkey-fields.ts';

/** A setup that this account has begun and not let expire. */
function openSetup(sealed: string, context: Context): PasskeySetup {
  const seal = openPasskeySeal(context);
  const { principal, now } = context;
  const setup = (() => {
    try {
      return JSON.parse(seal.open(sealed, placeOfSetup(principal.accountId))) as PasskeySetup;
    } catch {
      return null;
    }
  })();
  if (!setup || setup.endsAtMs <= now) throw new Fault('not_found', 'setup_id not found or expired; begin again');
  return setup;
}

export const accountPasskeyAdd = defineOperation('POST', 'account.passkeyAdd', {
  summary: 'Adds a passkey that the browser has made. Signing in with it takes neither the password nor a code.',
  access: 'browser',
  request: z.object({
    setup_id: requiredText('From account.passkeyBegin.'),
    credential: requiredText('The `PublicKeyCredential` of the browser as JSON text.'),
    name: z.string().trim().min(1).max(100).meta({ description: 'The name by which the user recognizes the passkey.' }),
  }),
  response: z.object({ passkey: passkeyObject }),
  async handle({ setup_id: sealed, credential, name: given }, context) {
    const { principal, now, write } = context;
    const site = requirePasskeySite(context);
    const { challenge } = openSetup(sealed, context);
    const passkey = readNewPasskey(credential, { site, challenge });
    if (!passkey) throw invalidField('credential', 'is not a passkey for this setup; begin again');
    const { accountId } = principal;
    const name = given.toWellFormed().replaceAll('\0', '\ufffd');
    return { passkey: describePasskey(await write(addPasskey, { accountId, passkey, name, actor: actorOf(principal), now })) };
  },
});
