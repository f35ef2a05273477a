import { type AppKind, trustOfApp } from '../../rules/oauth/oauth-policy.ts';
import { formatScopes } from '../../rules/oauth/oauth-scopes.ts';
import type { AccountStatus } from '../../rules/accounts/account-status.ts';
import type { TokenPlace } from '../../rules/oauth/oauth-token.ts';
import type { Plan, Scope, AppTrust } from '../../rules/accounts/access.ts';
import { deleteSome, type StoreOperation, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { appRow, scopeList } from './oauth-apps.ts';
import { isInAudience } from './oauth-audience.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { computedCodec, integer, json, tableCodec, text } from '../db/row-codec.ts';
import { accountRow } from '../db/shared-rows.ts';

/** `oauth_grants` */
export const grantRow = tableCodec('oauth_grants', {
  client_id: text,
  scopes: scopeList,
  connectors: json<string[]>(),
  app_revision: integer,
  created_at: integer,
});
/** The access token of a grant whose code was exchanged. */
export const accessRow = computedCodec('a grant with tokens', { access_scopes: scopeList, access_expires_at: integer });
const { read: readOwner } = accountRow.pick('plan, locale, status');
const { read: readShown } = appRow.pick('name, homepage, kind');

export interface CreateGrantArgs extends TokenPlace {
  clientId: string;
  scopes: readonly Scope[];
  /** Ids of the connectors that its user allows. */
  connectors: readonly string[];
  /** Revision of the application whose scopes the user saw. */
  appRevision: number;
  appName: string;
  /** The caller who allowed the grant, in the form of `actorOf`. */
  actor: string;
  code: { digest: string; redirectUri: string; challenge: string };
  now: number;
  expiresAtMs: number;
}

/** Stores what a user has just allowed. It has no effect until its code is exchanged. */
export const createGrant: StoreOperation<CreateGrantArgs, null> = {
  name: 'oauthGrants.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, grantId, clientId, scopes, connectors, appRevision, appName, actor, code, now, expiresAtMs }) {
    yield [
      sql(
        `INSERT INTO oauth_grants
           (account_id, id, client_id, scopes, connectors, app_revision, code_digest, redirect_uri, challenge, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        accountId,
        grantId,
        clientId,
        formatScopes(scopes),
        JSON.stringify(connectors),
        appRevision,
        code.digest,
        code.redirectUri,
        code.challenge,
        now,
        expiresAtMs,
      ),
      noteSecurityEvent({ accountId, atMs: now, kind: 'app_connected', actor, detail: { client_id: clientId, app: appName } }),
    ];
    return null;
  },
};

/** Account and rights of an access token. */
export interface GrantedToken extends TokenPlace {
  plan: Plan;
  locale: string;
  status: AccountStatus;
  clientId: string;
  scopes: readonly Scope[];
  trusted: AppTrust;
  connectors: readonly string[];
  expiresAtMs: number;
  /** The application may now do more than this user consented to. */
  needsConsent: boolean;
}

/** The live access token with this digest, or null. It may have expired; the caller compares the time. */
export const findTokenOwner: StoreOperation<TokenPlace & { digest: string }, GrantedToken | null> = {
  name: 'oauthGrants.findOwner',
  access: 'read',
  *run({ accountId, grantId, digest }) {
    const row = yield* selectFirst(
      `SELECT g.client_id, g.access_scopes, g.access_expires_at, g.connectors, g.app_revision, p.revision, p.kind, p.scopes, a.plan, a.locale, a.status
       FROM oauth_grants g JOIN oauth_apps p ON p.client_id = g.client_id JOIN accounts a ON a.account_id = g.account_id
       WHERE g.account_id = ? AND g.id = ? AND g.access_digest = ? AND ${isInAudience}`,
      accountId,
      grantId,
      digest,
      accountId,
      accountId,
    );
    if (!row) return null;
    const registered = appRow.scopes(row);
    return {
      accountId,
      grantId,
      ...readOwner(row),
      clientId: grantRow.client_id(row),
      scopes: accessRow.access_scopes(row).filter((scope) => registered.includes(scope)),
      trusted: trustOfApp(appRow.kind(row)),
      connectors: grantRow.connectors(row),
      expiresAtMs: accessRow.access_expires_at(row),
      needsConsent: grantRow.app_revision(row) !== appRow.revision(row),
    };
  },
};

/** An application that may act for an account. */
export interface ConnectedApp {
  clientId: string;
  name: string;
  homepage: string | null;
  kind: AppKind;
  scopes: readonly Scope[];
  connectedAtMs: number;
}

/** The applications that can act for the account, ordered by name. */
export const listConnectedApps: StoreOperation<{ accountId: string; now: number }, ConnectedApp[]> = {
  name: 'oauthGrants.listApps',
  access: 'read',
  *run({ accountId, now }) {
    const rows = yield* selectAll(
      `SELECT g.client_id, g.scopes, g.created_at, p.name, p.homepage, p.kind
       FROM oauth_grants g JOIN oauth_apps p ON p.client_id = g.client_id
       WHERE g.account_id = ? AND g.refresh_digest IS NOT NULL AND g.expires_at > ? ORDER BY p.name, g.client_id, g.id`,
      accountId,
      now,
    );
    const apps = new Map<string, ConnectedApp>();
    for (const row of rows) {
      const clientId = grantRow.client_id(row);
      const known = apps.get(clientId);
      apps.set(clientId, {
        clientId,
        ...readShown(row),
        scopes: [...new Set([...(known?.scopes ?? []), ...grantRow.scopes(row)])],
        connectedAtMs: Math.min(known?.connectedAtMs ?? Infinity, grantRow.created_at(row)),
      });
    }
    return [...apps.values()];
  },
};

/** Ends all grants of the account to the application; true if there were any. */
export const disconnectApp: StoreOperation<{ accountId: string; clientId: string; actor: string; now: number }, boolean> = {
  name: 'oauthGrants.disconnect',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, clientId, actor, now }) {
    const gone = yield* selectAll(
      'DELETE FROM oauth_grants WHERE account_id = ? AND client_id = ? RETURNING id',
      accountId,
      clientId,
    );
    if (gone.length === 0) return false;
    yield [noteSecurityEvent({ accountId, atMs: now, kind: 'app_disconnected', actor, detail: { client_id: clientId } })];
    return true;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Deletes expired grants and refresh tokens of grants that ended long ago, at most `limit` of each; returns their number. */
export const deleteExpiredGrants: StoreOperation<{ now: number; spentBefore: number; limit: number }, number> = {
  name: 'oauthGrants.deleteExpired',
  access: 'exclusive',
  *run({ now, spentBefore, limit }) {
    const grants = { table: 'oauth_grants', key: 'account_id, id', where: 'expires_at <= ?', limit };
    const spent = { table: 'oauth_spent', key: 'account_id, grant_id, digest', where: 'spent_at <= ?', limit };
    return (yield* deleteSome(grants, now)) + (yield* deleteSome(spent, spentBefore));
  },
};
