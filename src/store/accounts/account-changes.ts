import { Fault } from '@errand/base/fault.ts';
import { writePassword } from './account-passwords.ts';
import { type Account, accountColumns, readAccount } from './accounts.ts';
import { type StoreOperation, selectFirst } from '../db/store-operation.ts';
import { endSessions } from './sessions.ts';

export interface ChangeAccountArgs {
  accountId: string;
  /** Null leaves it as it is; so does the next one. */
  locale: string | null;
  /** What `Passwords.hash` made of it. */
  passwordHash: string | null;
  /** The browser at which it is done: it stays signed in when the password changes, all others do not. */
  sessionId: string | null;
  actor: string;
  now: number;
}

/** What people change of their own account. */
export const changeAccount: StoreOperation<ChangeAccountArgs, Account> = {
  name: 'accounts.change',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, locale, passwordHash: hash, sessionId, actor, now }) {
    const row = yield* selectFirst(
      `UPDATE accounts SET locale = COALESCE(?, locale) WHERE account_id = ? RETURNING ${accountColumns}`,
      locale,
      accountId,
    );
    if (!row) throw new Fault('not_found', 'account not found');
    if (hash !== null) {
      yield* writePassword({ accountId, hash, now, actor });
      yield* endSessions(accountId, { exceptSessionId: sessionId }, { actor, now });
    }
    return readAccount(row);
  },
  announce: () => [{ topic: 'credentials' }],
};
