import { type Account, createAccount } from './accounts.ts';
import { type ApiKey, createApiKey } from './api-keys.ts';
import type { StoredKey } from './stored-key.ts';
import type { StoreOperation } from '../db/store-operation.ts';

export interface AccountWithKeyArgs {
  account: Account & { password?: string | null };
  key: StoredKey;
}

/** A new account and its first key, both or neither. */
export const createAccountWithKey: StoreOperation<AccountWithKeyArgs, { account: Account; key: ApiKey }> = {
  name: 'accounts.createWithKey',
  access: 'write',
  keys: ({ account }) => [account.accountId],
  *run({ account, key }) {
    const created = yield* createAccount.run(account);
    const { accountId, createdAtMs } = created;
    return { account: created, key: yield* createApiKey.run({ accountId, now: createdAtMs, ...key }) };
  },
};
