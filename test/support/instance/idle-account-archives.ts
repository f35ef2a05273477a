import type { AccountArchives } from '../../../src/api/contract/account-archives.ts';

/** Archives for tests in which no account is exported. */
export const idleAccountArchives: AccountArchives = {
  open() {
    throw new Error('nothing is exported here');
  },
  write: () => Promise.reject(new Error('nothing is exported here')),
  import: () => Promise.reject(new Error('nothing is imported here')),
};
