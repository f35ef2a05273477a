import { z } from 'zod';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { removeTwoStep } from '../../../store/accounts/two-step/authenticators.ts';
import { defineOperation } from '../../contract/operation.ts';
import { checkOwnPassword } from '../own-password.ts';
import { ownPassword } from './two-step-fields.ts';

export const accountTwoStepOff = defineOperation('POST', 'account.twoStepOff', {
  summary: 'Turns two-step sign-in off: the password is enough again, and the recovery codes are void.',
  access: 'browser',
  hasSecret: true,
  request: z.object({ password: ownPassword }),
  response: z.object({ is_on: z.literal(false) }),
  async handle({ password }, context) {
    const { principal, now, write } = context;
    const { accountId } = principal;
    await checkOwnPassword(password, 'password', context);
    await write(removeTwoStep, { accountId, isForInstance: false, actor: actorOf(principal), now });
    return { is_on: false as const };
  },
});
