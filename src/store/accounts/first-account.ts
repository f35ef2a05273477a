import { type Account, createAccount } from './accounts.ts';
import { createApiKey } from './api-keys.ts';
import { type StoreOperation, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import type { StoredKey } from './stored-key.ts';

export interface FirstAccountArgs {
  account: Account & { password?: string | null };
  key: StoredKey;
}

/** Gives a new instance its account, which owns it, and an API key, both or neither; false if it already has an account. */
export const createFirstAccount: StoreOperation<FirstAccountArgs, boolean> = {
  name: 'accounts.createFirst',
  access: 'exclusive',
  *run({ account, key }) {
    if (yield* selectFirst('SELECT account_id FROM accounts LIMIT 1')) return false;
    // When several processes start at once, the first to write this row continues; the others wait for it to commit.
    const mine = yield* selectAll(
      "INSERT INTO instance (name, value) VALUES ('first_account', ?) ON CONFLICT DO NOTHING RETURNING value",
      account.accountId,
    );
    if (mine.length === 0) return false;
    yield* createAccount.run(account);
    yield [sql('UPDATE accounts SET is_instance_owner = 1 WHERE account_id = ?', account.accountId)];
    yield* createApiKey.run({ accountId: account.accountId, now: account.createdAtMs, ...key });
    return true;
  },
};
