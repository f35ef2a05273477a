import { Fault } from '@errand/base/fault.ts';
import type { AccountStatus } from '../../rules/accounts/account-status.ts';
import type { Account } from './accounts.ts';
import { accountColumns, readAccount } from './accounts.ts';
import { type StoreOperation, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { noteSecurityEvent } from './security-events.ts';
import { hasTwoStepSql, twoStepRow } from './two-step/two-step-column.ts';
import { accountRow } from '../db/shared-rows.ts';

export interface SetPasswordArgs {
  accountId: string;
  /** The password as returned by `Passwords.hash`. */
  hash: string;
  now: number;
  actor: string;
  /** How it came about, for the security record. */
  detail?: Readonly<Record<string, string>>;
}

/** Sets the password of an account, voids the links that would set it and sign-ins that wait for their second step, and records it; 404 if the account does not exist. */
export function* writePassword({ accountId, hash, now, actor, detail = {} }: SetPasswordArgs): Script<void> {
  const set = yield* selectAll('UPDATE accounts SET password = ? WHERE account_id = ? RETURNING account_id', hash, accountId);
  if (set.length === 0) throw new Fault('not_found', 'account not found');
  yield [
    sql('DELETE FROM password_links WHERE account_id = ?', accountId),
    sql('DELETE FROM pending_sign_ins WHERE account_id = ?', accountId),
    noteSecurityEvent({ accountId, atMs: now, kind: 'password_set', actor, detail }),
  ];
}

export const setPassword: StoreOperation<SetPasswordArgs, null> = {
  name: 'accounts.setPassword',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    yield* writePassword(args);
    return null;
  },
};

export const hasPassword: StoreOperation<{ accountId: string }, boolean> = {
  name: 'accounts.hasPassword',
  access: 'read',
  *run({ accountId }) {
    const row = yield* selectFirst('SELECT password FROM accounts WHERE account_id = ?', accountId);
    return row !== undefined && accountRow.password(row) !== null;
  },
};

/** What a sign-in needs of an account. */
export interface KnownSignIn {
  account: Account;
  /** Null for an account without a password. */
  hash: string | null;
  status: AccountStatus;
  /** Whether the password is followed by a second step. */
  hasTwoStep: boolean;
}

/** Finds the account with an email address, for a sign-in. */
export const findSignIn: StoreOperation<string, KnownSignIn | null> = {
  name: 'accounts.findSignIn',
  access: 'read',
  *run(email) {
    const row = yield* selectFirst(
      `SELECT ${accountColumns}, password, status, ${hasTwoStepSql('accounts.account_id')} AS two_step FROM accounts WHERE email = ?`,
      email.toLowerCase(),
    );
    if (!row) return null;
    const hasTwoStep = twoStepRow.two_step(row);
    return { account: readAccount(row), hash: accountRow.password(row), status: accountRow.status(row), hasTwoStep };
  },
};
