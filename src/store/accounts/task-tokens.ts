import type { TaskTokenClaims, TokenParent } from '../../rules/tasks/task-token.ts';
import { accountRow } from '../db/shared-rows.ts';
import { selectFirst, type StoreOperation } from '../db/store-operation.ts';

const { read: readOwner } = accountRow.pick('plan, locale, status');

/** SQL that proves the credential behind a token: it exists in this account, and has not expired or been revoked. */
const isParentLive: Readonly<Record<TokenParent['kind'], string>> = {
  api_key:
    'SELECT 1 FROM api_keys k WHERE k.account_id = a.account_id AND k.id = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)',
  oauth: 'SELECT 1 FROM oauth_grants g WHERE g.account_id = a.account_id AND g.id = ? AND g.expires_at > ?',
  session: 'SELECT 1 FROM sessions s WHERE s.account_id = a.account_id AND s.id = ? AND s.expires_at > ?',
  operator: "SELECT 1 WHERE ? = ''",
};

/** The account of a token with these claims; null if the task, the account, or the credential that made it is gone. */
export const findTaskTokenOwner: StoreOperation<
  Pick<TaskTokenClaims, 'accountId' | 'taskId' | 'parent'> & { now: number },
  ReturnType<typeof readOwner> | null
> = {
  name: 'taskTokens.findOwner',
  access: 'read',
  *run({ accountId, taskId, parent, now }) {
    const expires = parent.kind !== 'operator';
    const row = yield* selectFirst(
      `SELECT a.plan, a.locale, a.status FROM accounts a JOIN tasks t ON t.account_id = a.account_id AND t.id = ?
       WHERE a.account_id = ? AND EXISTS (${isParentLive[parent.kind]})`,
      taskId,
      accountId,
      parent.id,
      ...(expires ? [now] : []),
    );
    return row ? readOwner(row) : null;
  },
};
