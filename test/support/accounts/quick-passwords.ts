import { argon2id, Passwords } from '@errand/base/secrets/passwords.ts';

/** What verifies passwords in a thousandth of the time, for tests of everything but the cost of it. It knows only its own hashes. */
export function createQuickPasswords(): Passwords {
  return new Passwords((parameters) => argon2id({ ...parameters, memory: 8, passes: 1 }));
}
