import { type ConnectorKey, type SignIn } from './connectors.ts';
import { type Operation, selectFirst } from '../db/store-operation.ts';

export interface KeepSignInArgs extends ConnectorKey {
  /** What is to be replaced, sealed; null for nothing. */
  before: string | null;
  oauth: string;
  signIn: SignIn | null;
}

/** Replaces what is known of signing in, unless somebody else did so meanwhile or the connector is gone: then false. */
export const keepSignIn: Operation<KeepSignInArgs, boolean> = {
  name: 'connectors.keepSignIn',
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
