import { type ConnectorKey, type ConnectorSignIn } from './connectors.ts';
import { type StoreOperation, selectFirst } from '../db/store-operation.ts';

export interface SaveSignInArgs extends ConnectorKey {
  /** The sealed value to replace; null for none. */
  before: string | null;
  oauth: string;
  signIn: ConnectorSignIn | null;
}

/** Replaces the sign-in data of a connector; false if it has changed meanwhile or the connector is deleted. */
export const saveSignIn: StoreOperation<SaveSignInArgs, boolean> = {
  name: 'connectors.saveSignIn',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, connectorId, before, oauth, signIn }) {
    const row = yield* selectFirst(
      `UPDATE connectors SET oauth = ?, sign_in = ? WHERE account_id = ? AND id = ? AND COALESCE(oauth, '') = ? RETURNING id`,
      ...[oauth, signIn, accountId, connectorId, before ?? ''],
    );
    return row !== undefined && row !== null;
  },
  announce: (_, isKept) => (isKept ? [{ topic: 'skills' }] : []),
};
