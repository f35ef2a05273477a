import { isEmailAddress } from '@errand/base/text/email-address.ts';
import { UsageFault } from './exit-code.ts';

/** What `--email` was given, checked before anything is opened. */
export function requireEmail(email: string | undefined): string {
  if (email === undefined) throw new UsageFault('--email is missing');
  if (!isEmailAddress(email)) throw new UsageFault('--email must be an e-mail address, such as ann@example.com');
  return email;
}
