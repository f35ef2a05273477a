import { Fault, invalidField } from '@errand/base/fault.ts';
import { findSignIn } from '../../store/accounts/account-passwords.ts';
import type { Context } from '../contract/operation.ts';
import { readOwnAccount } from './account-object.ts';

/**
 * Asks the signed-in user for the password again, which somebody at an unattended browser does not know. Throws 400 that names the field
 * for a wrong one, and 429 after too many of these.
 */
export async function checkOwnPassword(given: string | undefined, field: string, context: Context): Promise<void> {
  const { principal, passwords, passwordPace, read } = context;
  const waitS = await passwordPace.take(principal.accountId);
  if (waitS > 0) {
    throw new Fault('resource_exhausted', 'Too many attempts. Wait a while and try again.', { retryAfterS: waitS });
  }
  const known = await read(findSignIn, (await readOwnAccount(context)).email);
  if (given === undefined || !(await passwords.verify(given.slice(0, 1000), known?.hash ?? null, principal.accountId))) {
    throw invalidField(field, 'is wrong');
  }
  await passwordPace.clear(principal.accountId);
}
