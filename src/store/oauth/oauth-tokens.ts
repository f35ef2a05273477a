import type { Scope } from '../../rules/accounts/access.ts';
import type { TokenPlace } from '../../rules/oauth/oauth-token.ts';
import { formatScopes, isWithin } from '../../rules/oauth/oauth-scopes.ts';
import { type StoreOperation, type Script, selectFirst, sql } from '../db/store-operation.ts';
import { computedCodec, flag, integer, nullable, text } from '../db/row-codec.ts';
import { accessRow, grantRow } from './oauth-grants.ts';

const spentRow = computedCodec('a spent token', { spent_for: integer });
const refusalRow = computedCodec('a grant that refused a token', { refresh_digest: nullable(text), outgrown: flag });

/** Digests and expiry of a new pair of tokens. */
export interface TokenPair {
  accessDigest: string;
  accessExpiresAtMs: number;
  refreshDigest: string;
  refreshExpiresAtMs: number;
}

export type TokenExchange =
  | { outcome: 'issued'; scopes: Scope[] }
  /** Invalid for this client, or no longer valid. */
  | { outcome: 'refused' }
  /** Exchanged before: by a concurrent request, or the token was leaked. */
  | { outcome: 'spent' }
  /** The application may now do more than its user consented to. */
  | { outcome: 'outgrown' }
  /** More scopes than the grant has. */
  | { outcome: 'excessive' };

interface ExchangeArgs extends TokenPlace {
  clientId: string;
  /** Digest of the code or the refresh token. */
  digest: string;
  pair: TokenPair;
  now: number;
}

const hasOutgrown = 'app_revision <> (SELECT revision FROM oauth_apps p WHERE p.client_id = oauth_grants.client_id)';
const isAtWork = "EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = oauth_grants.account_id AND a.status = 'active')";
const setPair = `access_digest = ?, access_expires_at = ?, refresh_digest = ?, expires_at = ?`;

function pairValues({ accessDigest, accessExpiresAtMs, refreshDigest, refreshExpiresAtMs }: TokenPair) {
  return [accessDigest, accessExpiresAtMs, refreshDigest, refreshExpiresAtMs] as const;
}

const announce = (_: unknown, { outcome }: TokenExchange) => (outcome === 'issued' ? [{ topic: 'credentials' } as const] : []);

/** Exchanges an authorization code. One statement consumes it and issues the tokens, so two requests cannot both succeed. */
export const redeemCode: StoreOperation<ExchangeArgs & { redirectUri: string; challenge: string }, TokenExchange> = {
  name: 'oauthTokens.redeem',
  access: 'write',
  keys: ({ grantId }) => [grantId],
  *run({ accountId, grantId, clientId, digest, redirectUri, challenge, pair, now }) {
    const isThisCode = 'account_id = ? AND id = ? AND client_id = ? AND code_digest = ? AND redirect_uri = ? AND challenge = ?';
    const place = [accountId, grantId, clientId, digest, redirectUri, challenge] as const;
    const issued = yield* selectFirst(
      `UPDATE oauth_grants SET code_spent_at = errand_now(), access_scopes = scopes, ${setPair}
       WHERE ${isThisCode} AND code_spent_at IS NULL AND expires_at > ? AND ${isAtWork} RETURNING scopes`,
      ...pairValues(pair),
      ...place,
      now,
    );
    if (issued) return { outcome: 'issued', scopes: grantRow.scopes(issued) };
    const spent = yield* selectFirst(`SELECT id FROM oauth_grants WHERE ${isThisCode} AND code_spent_at IS NOT NULL`, ...place);
    return { outcome: spent ? 'spent' : 'refused' };
  },
  announce,
};

/** Why a refresh token was not exchanged. */
function* explainRefusal({ accountId, grantId, clientId, digest }: ExchangeArgs): Script<TokenExchange> {
  const [grants, spent] = yield [
    sql(
      `SELECT refresh_digest, CASE WHEN ${hasOutgrown} THEN 1 ELSE 0 END AS outgrown
       FROM oauth_grants WHERE account_id = ? AND id = ? AND client_id = ?`,
      accountId,
      grantId,
      clientId,
    ),
    sql('SELECT digest FROM oauth_spent WHERE account_id = ? AND grant_id = ? AND digest = ?', accountId, grantId, digest),
  ];
  const grant = grants?.[0];
  if (!grant) return { outcome: 'refused' };
  if (spent?.[0]) return { outcome: 'spent' };
  return { outcome: refusalRow.refresh_digest(grant) === digest && refusalRow.outgrown(grant) ? 'outgrown' : 'refused' };
}

/**
 * Exchanges a refresh token. One statement replaces the old pair, which becomes invalid; the old refresh token is stored to detect its
 * reuse.
 */
export const refreshTokens: StoreOperation<ExchangeArgs & { scopes: readonly Scope[] | null }, TokenExchange> = {
  name: 'oauthTokens.refresh',
  access: 'write',
  keys: ({ grantId }) => [grantId],
  *run(args) {
    const { accountId, grantId, clientId, digest, pair, now, scopes } = args;
    const isThisToken = 'account_id = ? AND id = ? AND client_id = ? AND refresh_digest = ?';
    const place = [accountId, grantId, clientId, digest] as const;
    if (scopes !== null) {
      const grant = yield* selectFirst(`SELECT scopes FROM oauth_grants WHERE ${isThisToken}`, ...place);
      if (grant && !isWithin(scopes, grantRow.scopes(grant))) return { outcome: 'excessive' };
    }
    const issued = yield* selectFirst(
      `UPDATE oauth_grants SET access_scopes = COALESCE(?, scopes), ${setPair}
       WHERE ${isThisToken} AND expires_at > ? AND NOT (${hasOutgrown}) AND ${isAtWork} RETURNING access_scopes`,
      scopes === null ? null : formatScopes(scopes),
      ...pairValues(pair),
      ...place,
      now,
    );
    if (!issued) return yield* explainRefusal(args);
    yield [
      sql(
        'INSERT INTO oauth_spent (account_id, grant_id, digest, spent_at) VALUES (?, ?, ?, errand_now())',
        accountId,
        grantId,
        digest,
      ),
    ];
    return { outcome: 'issued', scopes: accessRow.access_scopes(issued) };
  },
  announce,
};

/** How long ago a code or refresh token was exchanged, by the database's clock; null if its grant has ended. */
export const findSpentFor: StoreOperation<TokenPlace & { digest: string }, number | null> = {
  name: 'oauthTokens.spentFor',
  access: 'read',
  *run({ accountId, grantId, digest }) {
    const spent = yield* selectFirst(
      `SELECT errand_now() - COALESCE(s.spent_at, g.code_spent_at) AS spent_for
       FROM oauth_grants g LEFT JOIN oauth_spent s ON s.account_id = g.account_id AND s.grant_id = g.id AND s.digest = ?
       WHERE g.account_id = ? AND g.id = ? AND (s.digest IS NOT NULL OR (g.code_digest = ? AND g.code_spent_at IS NOT NULL))`,
      digest,
      accountId,
      grantId,
      digest,
    );
    return spent ? spentRow.spent_for(spent) : null;
  },
};

/** Ends a grant whose code or refresh token was replayed, including tokens that other processes may have cached. */
export const endReplayed: StoreOperation<TokenPlace, null> = {
  name: 'oauthTokens.endReplayed',
  access: 'write',
  keys: ({ grantId }) => [grantId],
  *run({ accountId, grantId }) {
    yield [sql('DELETE FROM oauth_grants WHERE account_id = ? AND id = ?', accountId, grantId)];
    return null;
  },
  announce: () => [{ topic: 'credentials' }],
};

/** Ends the grant if the token is its live refresh token, or only the access token if it is that (RFC 7009). */
export const revokeToken: StoreOperation<TokenPlace & { clientId: string; digest: string }, boolean> = {
  name: 'oauthTokens.revoke',
  access: 'write',
  keys: ({ grantId }) => [grantId],
  *run({ accountId, grantId, clientId, digest }) {
    const place = [accountId, grantId, clientId, digest] as const;
    const isThisClient = 'account_id = ? AND id = ? AND client_id = ?';
    const [grants, tokens] = yield [
      sql(`DELETE FROM oauth_grants WHERE ${isThisClient} AND refresh_digest = ? RETURNING id`, ...place),
      sql(`UPDATE oauth_grants SET access_digest = NULL WHERE ${isThisClient} AND access_digest = ? RETURNING id`, ...place),
    ];
    return (grants?.length ?? 0) + (tokens?.length ?? 0) > 0;
  },
  announce: (_, wasRevoked) => (wasRevoked ? [{ topic: 'credentials' }] : []),
};
