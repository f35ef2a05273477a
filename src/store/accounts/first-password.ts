import { invalidField } from '@errand/base/fault.ts';
import { type StoreOperation, selectFirst } from '../db/store-operation.ts';
import { noteSecurityEvent } from './security-events.ts';
import { accountRow } from '../db/shared-rows.ts';

/** The first account of the instance until its password is set; null afterwards. */
export const findPasswordless: StoreOperation<null, { accountId: string; email: string } | null> = {
  name: 'accounts.findPasswordless',
  access: 'read',
  *run() {
    const row = yield* selectFirst('SELECT account_id, email, password FROM accounts ORDER BY created_at, account_id LIMIT 1');
    return row && accountRow.password(row) === null
      ? { accountId: accountRow.account_id(row), email: accountRow.email(row) }
      : null;
  },
};

/** Whether anybody can sign in with a password. */
export const isAnyPasswordSet: StoreOperation<null, boolean> = {
  name: 'accounts.isAnyPasswordSet',
  access: 'read',
  *run() {
    return (yield* selectFirst('SELECT account_id FROM accounts WHERE password IS NOT NULL LIMIT 1')) !== undefined;
  },
};

export interface FirstPasswordArgs {
  accountId: string;
  /** Lower case; may differ from the current address. */
  email: string;
  hash: string;
  now: number;
}

/** Sets the password of an account without one; false if it was set in the meantime. */
export const setFirstPassword: StoreOperation<FirstPasswordArgs, boolean> = {
  name: 'accounts.setFirstPassword',
  access: 'exclusive',
  *run({ accountId, email, hash, now }) {
    const other = yield* selectFirst('SELECT account_id FROM accounts WHERE email = ? AND account_id <> ?', email, accountId);
    if (other) throw invalidField('email', `${email} already has an account`);
    const set = yield* selectFirst(
      'UPDATE accounts SET password = ?, email = ? WHERE account_id = ? AND password IS NULL RETURNING account_id',
      hash,
      email,
      accountId,
    );
    if (!set) return false;
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'password_set', actor: 'set-up', detail: { email } })];
    return true;
  },
};
