import { Fault } from '@errand/base/fault.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import type { ApiAccess } from '../../rules/connectors/api-operation.ts';
import { connectorLimits, type ConnectorTool, type ServerCommand } from '../../rules/connectors/connector.ts';
import {
  compareText,
  insertRow,
  lockAccount,
  type StoreOperation,
  selectAll,
  selectFirst,
  selectOne,
  findRow,
} from '../db/store-operation.ts';
import { flag, integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { countRow } from '../db/shared-rows.ts';

export type ConnectorSignIn = 'needed' | 'granted';

export interface Connector {
  id: string;
  name: string;
  description: string;
  category: string;
  url: string;
  /** Sealed for `connectorPlace`; null for none. */
  headers: string | null;
  /** Sign-in data of the server, sealed for `connectorPlace`; null for none. */
  oauth: string | null;
  /** Whether the user has to sign in; null for servers without sign-in. */
  signIn: ConnectorSignIn | null;
  /** Command to run instead of connecting to a URL, with `headers` as its environment; null for a server with a URL. */
  command: ServerCommand | null;
  /** For an HTTP API at `url`, whose keys are `headers`; null for an MCP server. */
  api: ApiAccess | null;
  tools: readonly ConnectorTool[];
  isDefault: boolean;
  problem: string | null;
  /** While its tools are listed for the first time, when that ends at the latest; null afterward. */
  connectingEndsAtMs: number | null;
  checkedAtMs: number;
  createdAtMs: number;
}

export interface ConnectorKey {
  accountId: string;
  connectorId: string;
}

/** Context to which the sealed headers of a connector are bound. */
export function connectorPlace({ accountId, connectorId }: ConnectorKey): string {
  return sealedPlaces.connector(accountId, connectorId);
}

const connectorRow = tableCodec('connectors', {
  id: text,
  name: text,
  description: text,
  category: text,
  url: text,
  headers: nullable(text),
  oauth: nullable(text),
  sign_in: nullable(oneOf<ConnectorSignIn>()),
  command: nullable(json<ServerCommand>()),
  api: nullable(json<ApiAccess>()),
  tools: json<ConnectorTool[]>(),
  is_default: flag,
  problem: nullable(text),
  connecting_ends_at: nullable(integer),
  checked_at: integer,
  created_at: integer,
});

/** Reads a connector from a row, with the columns it needs. */
export const { read: readConnector, columns: connectorColumns } = connectorRow;

export function connectorNotFound(): Fault {
  return new Fault('not_found', 'connector not found');
}

/** The account's connectors, ordered by name. */
export const listConnectors: StoreOperation<string, Connector[]> = {
  name: 'connectors.list',
  access: 'read',
  *run(accountId) {
    const rows = yield* selectAll(`SELECT ${connectorColumns} FROM connectors WHERE account_id = ? ORDER BY id`, accountId);
    return rows.map(readConnector).toSorted((a, b) => compareText(a.name, b.name));
  },
};

export const getConnector: StoreOperation<ConnectorKey, Connector> = {
  name: 'connectors.get',
  access: 'read',
  *run({ accountId, connectorId }) {
    const row = yield* findRow(connectorColumns, 'connectors', { account_id: accountId, id: connectorId });
    if (!row) throw connectorNotFound();
    return readConnector(row);
  },
};

export interface CreateConnectorArgs extends ConnectorKey {
  name: string;
  description: string;
  category: string;
  url: string;
  headers: string | null;
  tools: readonly ConnectorTool[];
  isDefault: boolean;
  signIn: ConnectorSignIn | null;
  problem: string | null;
  /** Null or absent if it has answered. */
  connectingEndsAtMs?: number | null;
  /** Sealed for `connectorPlace`. */
  oauth?: string | null;
  command?: ServerCommand | null;
  api?: ApiAccess | null;
  now: number;
}

export const createConnector: StoreOperation<CreateConnectorArgs, Connector> = {
  name: 'connectors.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, connectorId: id, tools, isDefault, command = null, api = null, oauth = null, now, ...args }) {
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    yield* lockAccount(accountId);
    const held = yield* selectOne('SELECT COUNT(*) AS count FROM connectors WHERE account_id = ?', accountId);
    if (countRow.count(held) >= connectorLimits.count) {
      throw new Fault('resource_exhausted', `An account can have ${connectorLimits.count} connectors.`);
    }
    const { name, description, category, url, headers, problem, signIn, connectingEndsAtMs = null } = args;
    const row = {
      ...{ account_id: accountId, id, name, description, category, url, headers, problem, oauth, sign_in: signIn },
      ...{ tools: JSON.stringify(tools), is_default: isDefault ? 1 : 0, checked_at: now, created_at: now },
      connecting_ends_at: connectingEndsAtMs,
      command: command && JSON.stringify(command),
      api: api && JSON.stringify(api),
    };
    yield [insertRow('connectors', row)];
    const known = { name, description, category, url, headers, problem, signIn, oauth, connectingEndsAtMs };
    return { id, ...known, tools, isDefault, command, api, checkedAtMs: now, createdAtMs: now };
  },
  announce: () => [{ topic: 'skills' }],
};

export interface NoteCheckArgs extends ConnectorKey {
  now: number;
  tools: readonly ConnectorTool[] | null;
  problem: string | null;
  /** Whether its user has to sign in; counts for a server without headers that has not listed tools yet. */
  signIn?: ConnectorSignIn | null;
  /** Notes nothing about a connector that has been contacted since it was created. */
  isFirst?: true;
}

/** Result of contacting a connector: its tools, or why it could not be reached; the tools then stay unchanged. */
export const noteCheck: StoreOperation<NoteCheckArgs, Connector> = {
  name: 'connectors.noteCheck',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, connectorId, now, tools, problem, signIn = null, isFirst = false }) {
    const row = yield* selectFirst(
      `UPDATE connectors SET tools = COALESCE(?, tools), problem = ?, connecting_ends_at = NULL, checked_at = ?,
         sign_in = CASE WHEN sign_in IS NULL AND headers IS NULL AND tools = '[]' THEN ? ELSE sign_in END WHERE account_id = ? AND id = ? ${isFirst ? 'AND connecting_ends_at IS NOT NULL' : ''}
       RETURNING ${connectorColumns}`,
      tools === null ? null : JSON.stringify(tools),
      problem,
      now,
      signIn,
      accountId,
      connectorId,
    );
    if (!row) throw connectorNotFound();
    return readConnector(row);
  },
  announce: () => [{ topic: 'skills' }],
};

/** Deletes a connector with its keys; tasks that use it lose its tools at their next turn. */
export const deleteConnector: StoreOperation<ConnectorKey, null> = {
  name: 'connectors.delete',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, connectorId }) {
    const gone = yield* selectAll('DELETE FROM connectors WHERE account_id = ? AND id = ? RETURNING id', accountId, connectorId);
    if (gone.length === 0) throw connectorNotFound();
    return null;
  },
  announce: () => [{ topic: 'skills' }],
};
