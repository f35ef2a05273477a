import { invalidField } from '@errand/base/fault.ts';

const [shortest, longest] = [8, 200];

/** A new password: at least long enough to be safe, at most so long that hashing it stays cheap. */
export function checkPassword(password: string): string {
  if (password.length < shortest) throw invalidField('password', `must have at least ${shortest} characters`);
  if (password.length > longest) throw invalidField('password', `must have at most ${longest} characters`);
  return password;
}
