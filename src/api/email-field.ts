import { invalidField } from '../base/fault.ts';

/** Enough to catch a slip of the keyboard; whether an address works is told by a mail that arrives. Lower case. */
export function readEmail(email: string, field = 'email'): string {
  if (email.length > 254 || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)) throw invalidField(field, 'must be an e-mail address');
  return email.toWellFormed().toLowerCase();
}
