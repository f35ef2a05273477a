import { z } from 'zod';
import { hasPassword } from '../../../store/accounts/account-passwords.ts';
import { describeTwoStep } from '../../../store/accounts/two-step/authenticators.ts';
import { defineOperation } from '../../contract/operation.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

export const accountTwoStepDetail = defineOperation('GET', 'account.twoStepDetail', {
  summary: 'Returns whether signing in to the account takes a code of an authenticator app after the password.',
  access: 'browser',
  request: z.object({}),
  response: z.object({
    two_step: z.object({
      is_on: z.boolean(),
      on_since: unixTime.nullable(),
      recovery_codes_left: z.int(),
      has_password: z
        .boolean()
        .meta({ description: 'Whether the account has a password, without which two-step sign-in cannot be turned on.' }),
    }),
  }),
  async handle(_, { principal: { accountId }, read }) {
    const [state, isProtected] = await Promise.all([read(describeTwoStep, { accountId }), read(hasPassword, { accountId })]);
    const { onSinceMs, codesLeft } = state;
    return {
      two_step: {
        is_on: onSinceMs !== null,
        on_since: onSinceMs === null ? null : toUnixTime(onSinceMs),
        recovery_codes_left: codesLeft,
        has_password: isProtected,
      },
    };
  },
});
