import { accountRow } from '../db/shared-rows.ts';
import { findRow, type Script, selectFirst } from '../db/store-operation.ts';

/** Something stored that starts tasks without a request of its account. */
export interface TaskStarter {
  accountId: string;
  /** The application that made it; null for none. */
  oauthClientId: string | null;
}

/** Why it may not start tasks now, as a sentence for its owner; null if it may. */
export function* findStandingProblem({ accountId, oauthClientId }: TaskStarter): Script<string | null> {
  const account = yield* findRow('status', 'accounts', { account_id: accountId });
  const status = account ? accountRow.status(account) : 'active';
  if (status !== 'active') return status === 'disabled' ? 'The account is disabled.' : 'The account is being deleted.';
  if (oauthClientId === null) return null;
  const grant = 'SELECT id FROM oauth_grants WHERE account_id = ? AND client_id = ? LIMIT 1';
  if (yield* selectFirst(grant, accountId, oauthClientId)) return null;
  return 'The application that made it no longer has access to the account.';
}
