import { Fault } from '@errand/base/fault.ts';
import { type StoreOperation, type Row, selectAll } from '../db/store-operation.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { grantRow } from './oauth-grants.ts';

export interface GrantedConnectorsKey {
  accountId: string;
  clientId: string;
}

function readIds(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(grantRow.connectors))];
}

/** Ids of the connectors that the account lets an application use, over all its grants; null if it is not connected. */
export const findGrantedConnectors: StoreOperation<GrantedConnectorsKey, string[] | null> = {
  name: 'grantedConnectors.find',
  access: 'read',
  *run({ accountId, clientId }) {
    const rows = yield* selectAll(
      'SELECT connectors FROM oauth_grants WHERE account_id = ? AND client_id = ?',
      accountId,
      clientId,
    );
    return rows.length === 0 ? null : readIds(rows);
  },
};

export interface SetGrantedConnectorsArgs extends GrantedConnectorsKey {
  connectors: readonly string[];
  appName: string;
  /** The caller who allows the connector, in the form of `actorOf`. */
  actor: string;
  now: number;
}

/** Sets the connectors that all grants of an application allow. Throws 404 if it is not connected. */
export const setGrantedConnectors: StoreOperation<SetGrantedConnectorsArgs, null> = {
  name: 'grantedConnectors.set',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, clientId, connectors, appName, actor, now }) {
    const changed = yield* selectAll(
      'UPDATE oauth_grants SET connectors = ? WHERE account_id = ? AND client_id = ? RETURNING id',
      JSON.stringify(connectors),
      accountId,
      clientId,
    );
    if (changed.length === 0) throw new Fault('not_found', 'The application is not connected.');
    const detail = { client_id: clientId, app: appName, connectors: connectors.join(' ') };
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'app_connectors_chosen', actor, detail })];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};
