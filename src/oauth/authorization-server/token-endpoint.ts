import { pause } from '@errand/base/clock.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import { challengeOf, oauthLifetimes, raceWindowMs } from '../../rules/oauth/oauth-policy.ts';
import { formatScopes, parseScopes } from '../../rules/oauth/oauth-scopes.ts';
import { formatAccessToken, formatRefreshToken, placeOfToken, type TokenPlace } from '../../rules/oauth/oauth-token.ts';
import type { OauthApp } from '../../store/oauth/oauth-apps.ts';
import { endReplayed, findSpentFor, type TokenExchange, redeemCode, refreshTokens } from '../../store/oauth/oauth-tokens.ts';
import { authenticateClient } from './client-authentication.ts';
import { forApplications } from './endpoint-handler.ts';
import { answerJson, checkTarget, OauthFault } from './oauth-answer.ts';
import type { TokenRate } from './token-rate.ts';
import type { Fields, Handler, WebAnswer, PageParts, WebRequest } from '../request/web-request.ts';

/** A request of an authenticated client. */
export interface ClientRequest {
  request: WebRequest;
  app: OauthApp;
}

export type Grant = (given: ClientRequest) => Promise<WebAnswer>;

export function requireField(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined) throw new OauthFault('invalid_request', `${name} is required`);
  return value;
}

/** New tokens, of which only the digests are stored. */
function makeTokens(place: TokenPlace, now: number) {
  const accessToken = formatAccessToken(place, randomBase62(43));
  const refreshToken = formatRefreshToken(place, randomBase62(43));
  const pair = {
    accessDigest: digestSecret(accessToken),
    accessExpiresAtMs: now + oauthLifetimes.accessMs,
    refreshDigest: digestSecret(refreshToken),
    refreshExpiresAtMs: now + oauthLifetimes.refreshMs,
  };
  return { accessToken, refreshToken, pair };
}

const refusals = {
  refused: 'unknown, expired, or not made for this client, redirect_uri and code_verifier',
  raced: 'exchanged by another request at the same moment',
  replayed: 'used before; everything that came of it is revoked',
  outgrown: 'reauthorization_required: the application may do more by now than its user consented to',
};

/** How often a reading is repeated that took too long to decide. */
const mostReadings = 5;

/**
 * Whether a token was exchanged within the window before this request arrived: the response had not been sent then, so nobody else can
 * have the token. The database measures the token's age at some moment between query and result. After a long wait, for its turn or a
 * slow database, both answers may be possible; then it is read again, which takes less.
 */
async function isRace({ clock, database }: PageParts, arrivedAtMs: number, token: TokenPlace & { digest: string }) {
  for (let reading = 0; reading < mostReadings; reading++) {
    const askedAtMs = clock.monotonic();
    const spentForMs = await database.run(findSpentFor, token);
    // Another replay has ended the grant.
    if (spentForMs === null) return true;
    if (spentForMs - Math.ceil(askedAtMs - arrivedAtMs) < raceWindowMs) return true;
    if (spentForMs - Math.ceil(clock.monotonic() - arrivedAtMs) >= raceWindowMs) return false;
  }
  return false;
}

/** Why an exchanged token is rejected. Unless the requests raced, the token was leaked, and the grant ends. */
async function explainSpent(
  parts: PageParts,
  { arrivedAtMs }: WebRequest,
  token: TokenPlace & { digest: string },
): Promise<string> {
  if (await isRace(parts, arrivedAtMs, token)) return refusals.raced;
  const { accountId, grantId } = token;
  await parts.database.run(endReplayed, { accountId, grantId });
  return refusals.replayed;
}

/** The response to an exchange; it is delayed until the window for concurrent requests has passed. */
async function answerExchange(
  parts: PageParts,
  request: WebRequest,
  token: TokenPlace & { digest: string },
  exchange: TokenExchange,
  tokens: ReturnType<typeof makeTokens>,
): Promise<WebAnswer> {
  if (exchange.outcome === 'excessive') throw new OauthFault('invalid_scope', 'scope exceeds what was granted');
  if (exchange.outcome === 'spent') throw new OauthFault('invalid_grant', await explainSpent(parts, request, token));
  if (exchange.outcome !== 'issued') throw new OauthFault('invalid_grant', refusals[exchange.outcome]);
  await pause(parts.clock, raceWindowMs);
  return answerJson({
    access_token: tokens.accessToken,
    token_type: 'Bearer',
    expires_in: oauthLifetimes.accessMs / 1000,
    refresh_token: tokens.refreshToken,
    scope: formatScopes(exchange.scopes),
  });
}

/** A code that may be exchanged if everything matches. */
interface Code {
  place: TokenPlace;
  digest: string;
  redirectUri: string;
  challenge: string;
}

/** Exchanges a code for the first pair of tokens. */
export async function redeem(parts: PageParts, { request, app }: ClientRequest, code: Code): Promise<WebAnswer> {
  const { place, ...proof } = code;
  const now = parts.clock.now();
  const tokens = makeTokens(place, now);
  const exchange = await parts.database.run(redeemCode, {
    ...place,
    ...proof,
    clientId: app.clientId,
    pair: tokens.pair,
    now,
  });
  return answerExchange(parts, request, { ...place, digest: code.digest }, exchange, tokens);
}

function exchangeCode(parts: PageParts): Grant {
  return async (given) => {
    const { request } = given;
    const code = requireField(request.fields, 'code');
    const redirectUri = requireField(request.fields, 'redirect_uri');
    const challenge = challengeOf(request.fields.code_verifier ?? '');
    const place = placeOfToken('code', code);
    if (!place || challenge === null) throw new OauthFault('invalid_grant', refusals.refused);
    return redeem(parts, given, { place, digest: digestSecret(code), redirectUri, challenge });
  };
}

function exchangeRefreshToken(parts: PageParts): Grant {
  return async ({ request, app }) => {
    const token = requireField(request.fields, 'refresh_token');
    const { scope } = request.fields;
    const scopes = scope === undefined ? null : parseScopes(scope);
    if (scope !== undefined && !scopes) throw new OauthFault('invalid_scope', 'scope contains an unknown scope');
    const place = placeOfToken('refresh', token);
    if (!place) throw new OauthFault('invalid_grant', refusals.refused);
    const now = parts.clock.now();
    const tokens = makeTokens(place, now);
    const spent = { ...place, digest: digestSecret(token) };
    const exchange = await parts.database.run(refreshTokens, {
      ...spent,
      clientId: app.clientId,
      pair: tokens.pair,
      now,
      scopes,
    });
    return answerExchange(parts, request, spent, exchange, tokens);
  };
}

/**
 * `POST /oauth/token` (RFC 6749, with PKCE required).
 * @param more grant types besides the two standard ones
 */
export function buildTokenEndpoint(parts: PageParts, rate: TokenRate, more: readonly [type: string, grant: Grant][]): Handler {
  const grants: ReadonlyMap<string, Grant> = new Map([
    ...more,
    ['authorization_code', exchangeCode(parts)],
    ['refresh_token', exchangeRefreshToken(parts)],
  ]);
  return forApplications(rate, async (request) => {
    const type = requireField(request.fields, 'grant_type');
    const app = await authenticateClient(request, parts.database, rate);
    const grant = grants.get(type);
    if (!grant) throw new OauthFault('unsupported_grant_type', `grant_type must be one of ${[...grants.keys()].join(', ')}`);
    checkTarget(request.fields, parts.publicUrl());
    return grant({ request, app });
  });
}
