import { isEmailAddress } from '@errand/base/text/email-address.ts';
import { invalidField } from '@errand/base/fault.ts';

/** An e-mail address in lower case. */
export function readEmail(email: string, field = 'email'): string {
  if (!isEmailAddress(email)) throw invalidField(field, 'must be an e-mail address');
  return email.toWellFormed().toLowerCase();
}
