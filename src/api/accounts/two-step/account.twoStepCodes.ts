import { z } from 'zod';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { renewRecoveryCodes } from '../../../store/accounts/two-step/authenticators.ts';
import { newRecoveryCodes } from '../../../store/accounts/two-step/new-recovery-codes.ts';
import { defineOperation } from '../../contract/operation.ts';
import { checkOwnPassword } from '../own-password.ts';
import { ownPassword, recoveryCodes } from './two-step-fields.ts';

export const accountTwoStepCodes = defineOperation('POST', 'account.twoStepCodes', {
  summary: 'Makes new recovery codes, shown once; those from before stop working.',
  access: 'browser',
  hasSecret: true,
  request: z.object({ password: ownPassword }),
  response: z.object({ recovery_codes: recoveryCodes }),
  async handle({ password }, context) {
    const { principal, now, write } = context;
    const { accountId } = principal;
    await checkOwnPassword(password, 'password', context);
    const { codes, digests } = newRecoveryCodes(accountId);
    await write(renewRecoveryCodes, { accountId, codes: digests, actor: actorOf(principal), now });
    return { recovery_codes: codes };
  },
});
