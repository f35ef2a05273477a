import { invalidField } from '@errand/base/fault.ts';

const [shortest, longest] = [8, 200];

/** A password that may be set: long enough to be worth its hash, short enough that nobody pays for reading it. */
export function checkPassword(password: string): string {
  if (password.length < shortest) throw invalidField('password', `must have at least ${shortest} characters`);
  if (password.length > longest) throw invalidField('password', `must have at most ${longest} characters`);
  return password;
}
