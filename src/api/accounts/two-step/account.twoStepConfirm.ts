import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { findTotpStep, readTotpCode } from '../../../rules/accounts/totp.ts';
import { sealedPlaces } from '../../../rules/instance/sealed-places.ts';
import { confirmTwoStep, findUnconfirmed } from '../../../store/accounts/two-step/authenticators.ts';
import { newRecoveryCodes } from '../../../store/accounts/two-step/new-recovery-codes.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { openSeal, recoveryCodes } from './two-step-fields.ts';

export const accountTwoStepConfirm = defineOperation('POST', 'account.twoStepConfirm', {
  summary: 'Turns two-step sign-in on with the first code of the authenticator app, and shows the recovery codes once.',
  access: 'browser',
  hasSecret: true,
  request: z.object({
    setup_id: requiredText('From account.twoStepBegin.'),
    code: requiredText('The six digits that the app shows now.'),
  }),
  response: z.object({ recovery_codes: recoveryCodes }),
  async handle({ setup_id: id, code: typed }, context) {
    const { principal, now, read, write } = context;
    const { accountId } = principal;
    const seal = openSeal(context);
    const found = id.includes('\0') ? null : await read(findUnconfirmed, { accountId, id: id.toWellFormed() });
    if (!found) throw new Fault('not_found', 'setup_id not found; begin again');
    const secret = Buffer.from(seal.open(found.secret, sealedPlaces.authenticator(found.id)), 'base64');
    const code = readTotpCode(typed);
    const step = code === null ? null : findTotpStep(secret, code, { now, lastStep: found.lastStep });
    if (step === null) throw invalidField('code', 'is wrong, or no longer shown; enter the current code');
    const { codes, digests } = newRecoveryCodes(accountId);
    await write(confirmTwoStep, { accountId, id: found.id, step, codes: digests, actor: actorOf(principal), now });
    return { recovery_codes: codes };
  },
});
