import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { recoveryCodeCount } from '../../../rules/accounts/recovery-code.ts';
import { requiredText } from '../../contract/fields.ts';
import type { Context } from '../../contract/operation.ts';

/** The password of the signed-in user, given again. */
export const ownPassword = requiredText("The account's password.");

/** New recovery codes, shown once. */
export const recoveryCodes = z.array(z.string()).meta({
  description: `${recoveryCodeCount} codes, each of which replaces the authenticator app once. They are shown only here.`,
});

/** What seals secrets of authenticator apps; 412 in a process without the secret of the instance. */
export function openSeal({ seal }: Pick<Context, 'seal'>): NonNullable<Context['seal']> {
  if (seal) return seal;
  throw new Fault('failed_precondition', 'Two-step sign-in needs the same ERRAND_SECRET in all processes of this service.');
}
