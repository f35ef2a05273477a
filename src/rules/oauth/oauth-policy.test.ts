import { describe, expect, it } from 'vitest';
import { type AppFacts, challengeOf, checkAuthorization } from './oauth-policy.ts';
import { parseScopes } from './oauth-scopes.ts';
import { formatAccessToken, formatCode, formatRefreshToken, placeOfToken } from './oauth-token.ts';

const redirectUri = 'https://app.example/callback';
const app: AppFacts = { kind: 'team', redirectUris: [redirectUri, 'myapp:done'], scopes: ['create_task', 'create_project'] };
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const right = {
  client_id: 'c1',
  redirect_uri: redirectUri,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 's 1',
};

function check(changes: Record<string, string | undefined>, facts: AppFacts | null = app) {
  const merged = Object.entries({ ...right, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return checkAuthorization(Object.fromEntries(merged), facts, 'https://errand.example');
}

describe('an authorization request', () => {
  it('is shown for consent if client, redirect URI and challenge are valid; the scopes default to those of the application', () => {
    expect(check({})).toEqual({
      kind: 'ask',
      request: { clientId: 'c1', redirectUri, scopes: ['create_task', 'create_project'], state: 's 1', challenge },
    });
    expect(
      check({ response_type: 'code', response_mode: 'query', scope: ' create_project  create_project', state: undefined }),
    ).toEqual({
      kind: 'ask',
      request: { clientId: 'c1', redirectUri, scopes: ['create_project'], state: undefined, challenge },
    });
  });

  it.each([
    ['without a client', 'no_client_id', check({ client_id: undefined })],
    ['of an unknown client', 'unknown_client', check({}, null)],
    ['without a redirect URI', 'no_redirect_uri', check({ redirect_uri: undefined })],
    ['with an unregistered redirect URI', 'foreign_redirect_uri', check({ redirect_uri: `${redirectUri}/` })],
    [
      'with an unregistered redirect URI and other mistakes',
      'foreign_redirect_uri',
      check({ redirect_uri: 'https://evil.example', response_type: 'token' }),
    ],
  ])('%s is reported to the user, not to the redirect URI', (_, mistake, verdict) => {
    expect(verdict).toEqual({ kind: 'show', mistake });
  });

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: 's256' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge: `${challenge}=` }],
    ['invalid_request', { request: 'x.y.z' }],
    ['invalid_request', { request_uri: 'https://app.example/r' }],
    ['invalid_target', { resource: 'https://elsewhere.example' }],
    ['invalid_scope', { scope: 'openid' }],
    ['invalid_scope', { scope: 'manage_all_tasks' }],
    ['invalid_scope', { scope: 'create_task __proto__' }],
    ['invalid_scope', { scope: ' ' }],
  ] as const)('with another mistake is redirected with %s: %o', (error, changes) => {
    expect(check(changes)).toMatchObject({ kind: 'answer', redirectUri, state: 's 1', problem: { error } });
  });
});

describe('a code verifier', () => {
  it('has the challenge of RFC 7636, or none if it is malformed', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(challenge);
    for (const wrong of ['', 'short', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}=`, `${'x'.repeat(43)}\n`]) {
      expect(challengeOf(wrong)).toBeNull();
    }
  });
});

describe('a token', () => {
  const place = { accountId: 'a'.repeat(22), grantId: 'G'.repeat(22) };
  const secret = '0'.repeat(43);

  it('contains the ids of its account and grant', () => {
    expect(placeOfToken('access', formatAccessToken(place, secret))).toEqual(place);
    expect(placeOfToken('refresh', formatRefreshToken(place, secret))).toEqual(place);
    expect(placeOfToken('code', formatCode(place, 'c'.repeat(22), secret))).toEqual(place);
  });

  it('is rejected if it is of another kind or modified', () => {
    const access = formatAccessToken(place, secret);
    expect(placeOfToken('refresh', access)).toBeNull();
    for (const wrong of [`${access} `, access.slice(1), access.replace('0', '-'), `${access}\n`])
      expect(placeOfToken('access', wrong)).toBeNull();
  });
});

describe('a list of scopes', () => {
  it('is parsed completely or rejected', () => {
    expect(parseScopes('use_connectors create_task')).toEqual(['create_task', 'use_connectors']);
    for (const wrong of ['', 'toString', 'create_task,create_project', 'CREATE_TASK']) expect(parseScopes(wrong)).toBeNull();
  });
});
