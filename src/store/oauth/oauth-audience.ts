import { type StoreOperation, selectFirst } from '../db/store-operation.ts';

/**
 * Whether an account may authorize an application: the owner always, everybody if the application is trusted or built in (it has no owner),
 * otherwise members of the owner's team.
 */
export const isInAudience = `(p.kind = 'trusted_public' OR p.account_id IN (?, '') OR EXISTS (
  SELECT 1 FROM team_members mine JOIN team_members theirs ON theirs.team_id = mine.team_id
  WHERE mine.account_id = ? AND theirs.account_id = p.account_id))`;

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
