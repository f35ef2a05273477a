import { newId, randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { TokenPlace } from '../../../src/rules/oauth/oauth-token.ts';
import { createAccount } from '../../../src/store/accounts/accounts.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { createApp, type OauthApp } from '../../../src/store/oauth/oauth-apps.ts';
import { createGrant } from '../../../src/store/oauth/oauth-grants.ts';
import { type TokenExchange, redeemCode, refreshTokens, type TokenPair } from '../../../src/store/oauth/oauth-tokens.ts';
import { nextMs } from '../db/store-samples.ts';

export async function addAccount(database: Database): Promise<string> {
  const now = nextMs();
  const accountId = newId(now);
  const email = `${accountId.toLowerCase()}@example.org`;
  await database.run(createAccount, { accountId, email, plan: 'pro', locale: 'en', createdAtMs: now });
  return accountId;
}

export async function addApp(
  database: Database,
  changes: Partial<OauthApp> = {},
  secret: string | null = 'app secret',
): Promise<OauthApp> {
  const now = nextMs();
  const app = {
    accountId: changes.accountId ?? (await addAccount(database)),
    clientId: newId(now),
    name: 'An app',
    homepage: null,
    kind: 'team' as const,
    isPublic: false,
    redirectUris: ['https://app.example/callback'],
    scopes: ['create_task' as const],
    applicationType: null,
    createdAtMs: now,
    ...changes,
  };
  const stored = secret === null ? null : { id: newId(now), digest: digestSecret(secret), tail: 'cret', createdAtMs: now };
  return database.run(createApp, { app, secret: stored, actor: 'operator', isOperator: true });
}

export const farAhead = Date.UTC(2030, 0, 1);

/** A valid pair of tokens: the store only keeps digests. */
export function newPair(): TokenPair {
  return {
    accessDigest: digestSecret(randomBase62(8)),
    accessExpiresAtMs: farAhead,
    refreshDigest: digestSecret(randomBase62(8)),
    refreshExpiresAtMs: farAhead,
  };
}

export interface SampleGrant extends TokenPlace {
  app: OauthApp;
  codeDigest: string;
}

/** A grant whose code has not been exchanged. */
export async function addGrant(database: Database, app?: OauthApp, expiresAtMs = farAhead): Promise<SampleGrant> {
  const granted = app ?? (await addApp(database));
  const grantId = newId(nextMs());
  const codeDigest = digestSecret(grantId);
  const place = { accountId: granted.accountId, grantId };
  await database.run(createGrant, {
    ...place,
    clientId: granted.clientId,
    scopes: granted.scopes,
    connectors: [],
    appRevision: granted.revision,
    appName: granted.name,
    actor: 'session:1',
    code: { digest: codeDigest, redirectUri: 'https://app.example/callback', challenge: 'challenge' },
    now: nextMs(),
    expiresAtMs,
  });
  return { ...place, app: granted, codeDigest };
}

type Redeem = Parameters<typeof redeemCode.run>[0];

export function redeem(database: Database, grant: SampleGrant, changes: Partial<Redeem> = {}): Promise<TokenExchange> {
  return database.run(redeemCode, {
    accountId: grant.accountId,
    grantId: grant.grantId,
    clientId: grant.app.clientId,
    digest: grant.codeDigest,
    redirectUri: 'https://app.example/callback',
    challenge: 'challenge',
    pair: newPair(),
    now: nextMs(),
    ...changes,
  });
}

type Refresh = Parameters<typeof refreshTokens.run>[0];

export function refresh(
  database: Database,
  grant: SampleGrant,
  digest: string,
  changes: Partial<Refresh> = {},
): Promise<TokenExchange> {
  return database.run(refreshTokens, {
    accountId: grant.accountId,
    grantId: grant.grantId,
    clientId: grant.app.clientId,
    digest,
    pair: newPair(),
    now: nextMs(),
    scopes: null,
    ...changes,
  });
}
