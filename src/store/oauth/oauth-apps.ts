import type { Scope } from '../../rules/accounts/access.ts';
import { Fault } from '@errand/base/fault.ts';
import type { AppKind } from '../../rules/oauth/oauth-policy.ts';
import type { ApplicationType } from '../../rules/oauth/redirect-uri.ts';
import { formatScopes, isScope, isWithin } from '../../rules/oauth/oauth-scopes.ts';
import {
  lockAccount,
  type StoreOperation,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type Statement,
  lockRow,
} from '../db/store-operation.ts';
import { checkManagesTeam } from './app-trust.ts';
import { addSecret, type NewAppSecret } from './oauth-secrets.ts';
import { noteSecurityEvent } from '../accounts/security-events.ts';
import { type ColumnType, flag, integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';

/** Maximum number of applications per account. */
const maxApps = 100;

/** An application that may act for accounts that allow it. */
export interface OauthApp {
  /** The owner. */
  accountId: string;
  clientId: string;
  name: string;
  homepage: string | null;
  kind: AppKind;
  /** True for an application that cannot keep a secret and has none. */
  isPublic: boolean;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  applicationType: ApplicationType | null;
  /** Increases with every change that requires new consent. */
  revision: number;
  createdAtMs: number;
}

/** Space-separated scopes. */
export const scopeList: ColumnType<Scope[]> = (stored) =>
  typeof stored === 'string' ? stored.split(' ').filter(isScope) : undefined;

/** `oauth_apps` */
export const appRow = tableCodec('oauth_apps', {
  account_id: text,
  client_id: text,
  name: text,
  homepage: nullable(text),
  kind: oneOf<AppKind>(),
  is_public: flag,
  redirect_uris: json<string[]>(),
  scopes: scopeList,
  revision: integer,
  created_at: integer,
  application_type: nullable(oneOf<ApplicationType>()),
});
const { columns } = appRow;
const { team_id: teamOfApp } = tableCodec('oauth_apps', { team_id: nullable(text) });

/** Reads an application from a row. */
const readApp = appRow.read;

export interface AppKey {
  accountId: string;
  clientId: string;
}

export function appNotFound(): Fault {
  return new Fault('not_found', 'application not found');
}

/** The application with its row locked, and its team as it is stored. Throws 404 `not_found`. */
function* lockApp({ accountId, clientId }: AppKey): Script<{ app: OauthApp; teamId: string | null }> {
  const row = yield* lockRow(`${columns}, team_id`, 'oauth_apps', { account_id: accountId, client_id: clientId });
  if (!row) throw appNotFound();
  return { app: readApp(row), teamId: teamOfApp(row) };
}

/** Who makes an application trusted by its team: the operator for every one, its owner only with a role in that team. */
export interface Trusting {
  /** Default: false. */
  isOperator?: boolean;
}

/** The caller who changes an application, in the form of `actorOf`, and the time. */
export interface Actor {
  actor: string;
  now: number;
}

type AppEvent = Actor & { kind: 'app_created' | 'app_changed' | 'app_deleted' };

function noteApp({ accountId, clientId, name }: Omit<OauthApp, 'revision'>, { kind, actor, now: atMs }: AppEvent): Statement {
  return noteSecurityEvent({ accountId, atMs, kind, actor, detail: { client_id: clientId, app: name } });
}

export interface CreateAppArgs extends Trusting {
  app: Omit<OauthApp, 'revision'>;
  /** The application's first secret; null for a public application. */
  secret: NewAppSecret | null;
  /** The caller who creates it, in the form of `actorOf`. */
  actor: string;
}

/** Registers an application. Throws 403 for one that is trusted by a team in which its owner is a plain member, or by none. */
export const createApp: StoreOperation<CreateAppArgs, OauthApp> = {
  name: 'oauthApps.create',
  access: 'write',
  keys: ({ app }) => [app.accountId],
  *run({ app, secret, actor, isOperator = false }) {
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    const owner = yield* lockAccount(app.accountId);
    if (!owner) throw new Fault('not_found', 'account not found');
    if (app.kind === 'trusted_team' && !isOperator) yield* checkManagesTeam(app.accountId, null);
    const there = yield* selectAll('SELECT client_id FROM oauth_apps WHERE account_id = ? LIMIT ?', app.accountId, maxApps);
    if (there.length >= maxApps) {
      throw new Fault('resource_exhausted', `An account can have ${maxApps} applications; delete one that is no longer used.`);
    }
    yield [
      sql(
        `INSERT INTO oauth_apps (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
        app.accountId,
        app.clientId,
        app.name,
        app.homepage,
        app.kind,
        app.isPublic ? 1 : 0,
        JSON.stringify(app.redirectUris),
        formatScopes(app.scopes),
        app.createdAtMs,
        app.applicationType,
      ),
      noteApp(app, { kind: 'app_created', actor, now: app.createdAtMs }),
    ];
    if (secret) yield* addSecret({ accountId: app.accountId, clientId: app.clientId }, secret);
    return { ...app, revision: 1 };
  },
};

/** The applications registered by an account, oldest first. */
export const listApps: StoreOperation<string, OauthApp[]> = {
  name: 'oauthApps.list',
  access: 'read',
  *run(accountId) {
    const rows = yield* selectAll(`SELECT ${columns} FROM oauth_apps WHERE account_id = ? ORDER BY client_id`, accountId);
    return rows.map(readApp);
  },
};

/** The application with this client id, whoever owns it, or null. */
export const findApp: StoreOperation<string, OauthApp | null> = {
  name: 'oauthApps.find',
  access: 'read',
  *run(clientId) {
    const row = yield* selectFirst(`SELECT ${columns} FROM oauth_apps WHERE client_id = ?`, clientId);
    return row ? readApp(row) : null;
  },
};

export type AppChange = Partial<Pick<OauthApp, 'name' | 'homepage' | 'kind' | 'redirectUris' | 'scopes' | 'applicationType'>>;

/** Whether the change allows more than its users consented to. */
function goesBeyond(before: OauthApp, after: OauthApp): boolean {
  return !isWithin(after.scopes, before.scopes) || (before.kind === 'team' && after.kind !== 'team');
}

/**
 * Changes an application. Existing tokens stay valid, unless it may now do more than their users consented to. Throws 403 for a change to
 * `trusted_team` by somebody who does not manage the team that the application belongs to, which need not be the current one.
 */
export const updateApp: StoreOperation<AppKey & Actor & Trusting & { change: AppChange }, OauthApp> = {
  name: 'oauthApps.update',
  access: 'write',
  keys: ({ accountId, clientId }) => [accountId, clientId],
  *run({ accountId, clientId, change, actor, now, isOperator = false }) {
    const needsRole = change.kind === 'trusted_team' && !isOperator;
    // Before the application, in the order in which a switch locks them.
    if (needsRole) yield* lockAccount(accountId);
    const { app: before, teamId } = yield* lockApp({ accountId, clientId });
    if (needsRole) yield* checkManagesTeam(accountId, teamId);
    const merged = { ...before, ...change };
    const after = goesBeyond(before, merged) ? { ...merged, revision: before.revision + 1 } : merged;
    yield [
      sql(
        `UPDATE oauth_apps SET name = ?, homepage = ?, kind = ?, redirect_uris = ?, scopes = ?, application_type = ?, revision = ?
         WHERE account_id = ? AND client_id = ?`,
        after.name,
        after.homepage,
        after.kind,
        JSON.stringify(after.redirectUris),
        formatScopes(after.scopes),
        after.applicationType,
        after.revision,
        accountId,
        clientId,
      ),
      noteApp(after, { kind: 'app_changed', actor, now }),
    ];
    return after;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Deletes an application with its secrets and all its grants. */
export const deleteApp: StoreOperation<AppKey & Actor, null> = {
  name: 'oauthApps.delete',
  access: 'exclusive',
  *run({ accountId, clientId, actor, now }) {
    const { app } = yield* lockApp({ accountId, clientId });
    yield [
      sql('DELETE FROM oauth_apps WHERE account_id = ? AND client_id = ?', accountId, clientId),
      sql('DELETE FROM oauth_secrets WHERE account_id = ? AND client_id = ?', accountId, clientId),
      sql('DELETE FROM oauth_grants WHERE client_id = ?', clientId),
      noteApp(app, { kind: 'app_deleted', actor, now }),
      sql('DELETE FROM webhooks WHERE oauth_client_id = ?', clientId),
    ];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};
