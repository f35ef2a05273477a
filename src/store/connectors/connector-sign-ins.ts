import { type ConnectorKey, type ConnectorSignIn } from './connectors.ts';
import { type StoreOperation, selectFirst } from '../db/store-operation.ts';

export interface SaveSignInArgs extends ConnectorKey {
  /** What is to be replaced, sealed; null for nothing. */
  before: string | null;
  oauth: string;
  signIn: ConnectorSignIn | null;
}

/** Replaces what is known of signing in, unless somebody else did so meanwhile or the connector is gone: then false. */
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
