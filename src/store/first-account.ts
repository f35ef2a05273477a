import { type Account, createAccount } from './accounts.ts';
import { createApiKey } from './api-keys.ts';
import { type Operation, selectFirst } from './db/operation.ts';

export interface FirstAccountArgs {
  account: Account;
  key: { keyId: string; name: string; digest: string; tail: string };
}

/** Gives a new instance its account and that account's key, both or neither; false when the instance has an account. */
export const createFirstAccount: Operation<FirstAccountArgs, boolean> = {
  name: 'accounts.createFirst',
  access: 'alone',
  *run({ account, key }) {
    if (yield* selectFirst('SELECT account_id FROM accounts LIMIT 1')) return false;
    yield* createAccount.run(account);
    yield* createApiKey.run({ accountId: account.accountId, now: account.createdAtMs, ...key });
    return true;
  },
};
