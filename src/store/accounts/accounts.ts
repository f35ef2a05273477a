import { Fault, invalidField } from '@errand/base/fault.ts';
import { prepareAgent } from '../agents/agents.ts';
import { type StoreOperation, selectAll, selectFirst } from '../db/store-operation.ts';
import { noteSecurityEvent } from './security-events.ts';
import { accountRow } from '../db/shared-rows.ts';

/** Reads an account from a row, with the columns it needs. */
export const { read: readAccount, columns: accountColumns } = accountRow.pick('account_id, email, plan, locale, created_at');
export type Account = ReturnType<typeof readAccount>;

/** 404 for an account that does not exist. */
export function accountNotFound(): Fault {
  return new Fault('not_found', 'account not found');
}

/**
 * Stores a new account with its default agent; the e-mail address (lower case) must be free. `password` is the result of `Passwords.hash`;
 * `actor` is who creates it, by default the operator.
 */
export const createAccount: StoreOperation<Account & { password?: string | null; actor?: 'provider' | 'invitation' }, Account> = {
  name: 'accounts.create',
  access: 'write',
  *run({ password = null, actor = 'operator', ...account }) {
    const inserted = yield* selectAll(
      `INSERT INTO accounts (${accountColumns}, password) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING account_id`,
      account.accountId,
      account.email,
      account.plan,
      account.locale,
      account.createdAtMs,
      password,
    );
    if (inserted.length === 0) throw invalidField('email', `${account.email} already has an account`);
    yield* prepareAgent(account, account.createdAtMs);
    const { accountId, createdAtMs: atMs, email, plan } = account;
    yield [noteSecurityEvent({ accountId, atMs, kind: 'account_created', actor, detail: { email, plan } })];
    return account;
  },
};

/** An account by id or e-mail address; null finds the oldest one. */
export const findAccount: StoreOperation<string | null, Account | null> = {
  name: 'accounts.find',
  access: 'read',
  *run(reference) {
    const row =
      reference === null
        ? yield* selectFirst(`SELECT ${accountColumns} FROM accounts ORDER BY created_at, account_id LIMIT 1`)
        : yield* selectFirst(
            `SELECT ${accountColumns} FROM accounts WHERE account_id = ? OR email = ?`,
            reference,
            reference.toLowerCase(),
          );
    return row ? readAccount(row) : null;
  },
};
