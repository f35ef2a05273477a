import { Fault } from '@errand/base/fault.ts';
import { writePassword } from './account-passwords.ts';
import { type Account, accountColumns, readAccount } from './accounts.ts';
import { type StoreOperation, selectFirst } from '../db/store-operation.ts';
import { endSessions } from './sessions.ts';

export interface ChangeAccountArgs {
  accountId: string;
  /** Null leaves it unchanged; the same for the next field. */
  locale: string | null;
  /** The new password as returned by `Passwords.hash`; null keeps the current one. */
  passwordHash: string | null;
  /** The session that makes the change: it survives a change of password, all others end. */
  sessionId: string | null;
  actor: string;
  now: number;
}

/** Changes that people make to their own account. */
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
