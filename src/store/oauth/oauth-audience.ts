import { type StoreOperation, selectFirst } from '../db/store-operation.ts';
import { areTeammates } from '../db/teammates.ts';

/**
 * Whether an account may authorize an application: the owner always, everybody if the application is trusted or built in (it has no owner),
 * otherwise members of the application's team, while its owner is in it.
 */
export const isInAudience = `(p.kind = 'trusted_public' OR p.account_id IN (?, '') OR ${areTeammates('?', 'p')})`;

export const mayUseApp: StoreOperation<{ accountId: string; clientId: string }, boolean> = {
  name: 'oauthApps.mayUse',
  access: 'read',
  *run({ accountId, clientId }) {
    const row = yield* selectFirst(
      `SELECT p.client_id FROM oauth_apps p WHERE p.client_id = ? AND ${isInAudience}`,
      clientId,
      accountId,
      accountId,
    );
    return row !== undefined;
  },
};
