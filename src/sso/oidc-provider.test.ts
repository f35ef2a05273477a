import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type HandMadeAnswer, HandMadeProvider } from '../../test/support/accounts/hand-made-provider.ts';
import { TestClock } from '../../test/support/base/test-clock.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { ProviderProblem } from './provider-problem.ts';
import { newQuestion, OidcProvider } from './oidc-provider.ts';

const redirectUri = 'https://errand.example/sign-in/oidc/callback';
const secret = 'secret of the client';
const strange = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

function clientOf(issuer: string, clock = systemClock): OidcProvider {
  const own = createSafeFetch({ allow: ['0.0.0.0/0', '::/0'], clock });
  const others = createSafeFetch({ allow: [], clock });
  const settings = { issuer, clientId: 'errand', scopes: 'openid email' };
  return new OidcProvider({ settings, clientSecret: secret, httpClients: { own, others }, clock });
}

/** The whole sign-in; returns the result, or the kind of problem. */
async function signIn(peer: HandMadeProvider, client = clientOf(peer.issuer), changes: Record<string, string> = {}) {
  const question = newQuestion();
  peer.nonce = question.nonce;
  try {
    await client.ask(question, redirectUri);
    const answer = new URLSearchParams({ code: 'c', state: question.state, iss: peer.issuer, ...changes });
    return await client.receive(question, redirectUri, answer.toString());
  } catch (error) {
    if (error instanceof ProviderProblem) return error.kind;
    throw error;
  }
}

/** The description of a case, to report a failure. */
function label(change: unknown): string {
  return JSON.stringify(change).slice(0, 100);
}

describe('a provider', () => {
  it('is asked with a proof key, and heard when everything fits', async () => {
    await using peer = await HandMadeProvider.start();
    const client = clientOf(peer.issuer);
    const question = newQuestion();
    const address = new URL(await client.ask(question, redirectUri));
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'errand',
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: question.state,
      nonce: question.nonce,
      code_challenge: createHash('sha256').update(question.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const reported = { issuer: peer.issuer, subject: 'ann', claims: { email: 'ann@example.com', email_verified: true } };
    expect(await signIn(peer, client)).toEqual(reported);
    expect(peer.bodies.find((body) => body.includes('code_verifier'))).not.toContain(encodeURIComponent(secret));
    // Claims missing from the token are fetched.
    peer.makeToken = ({ email: _email, ...claims }) => peer.sign(claims);
    expect(await signIn(peer, client)).toMatchObject({ claims: { email: 'told@example.com' } });
    peer.changes.set('/userinfo', (usual) => ({ ...usual, body: JSON.stringify({ sub: 'eve', email: 'ann@example.com' }) }));
    expect(await signIn(peer, client)).toBe('broken');
  });

  it('is not believed a token that it did not make for this question and this service', async () => {
    await using peer = await HandMadeProvider.start();
    const client = clientOf(peer.issuer);
    const changed = (changes: Record<string, unknown>) => (claims: Record<string, unknown>) =>
      peer.sign({ ...claims, ...changes });
    const past = Math.floor(Date.now() / 1000) - 3600;
    for (const [makeToken, kind] of [
      [(claims: Record<string, unknown>) => peer.signWeakly(claims, 'none'), 'broken'],
      [(claims: Record<string, unknown>) => peer.signWeakly(claims, 'HS256', secret), 'broken'],
      [(claims: Record<string, unknown>) => peer.signWeakly(claims, 'HS256', peer.publicKey), 'broken'],
      [(claims: Record<string, unknown>) => peer.sign(claims, strange), 'broken'],
      [() => 'no.token.this', 'broken'],
      [changed({ aud: 'another' }), 'broken'],
      [changed({ aud: ['errand', 'another'] }), 'broken'],
      [changed({ aud: ['errand', 'another'], azp: 'another' }), 'broken'],
      [changed({ iss: 'https://evil.example' }), 'broken'],
      [changed({ nonce: 'another' }), 'broken'],
      [changed({ nonce: undefined }), 'broken'],
      [changed({ exp: past }), 'clock'],
      [changed({ exp: undefined }), 'broken'],
      [changed({ sub: undefined }), 'broken'],
      [changed({ sub: 'a\u0000b' }), 'broken'],
      [changed({ sub: 'x'.repeat(256) }), 'broken'],
    ] as const) {
      peer.makeToken = makeToken;
      expect([makeToken.toString(), await signIn(peer, client)]).toEqual([makeToken.toString(), kind]);
    }
    peer.makeToken = changed({});
    expect(await signIn(peer, client)).toMatchObject({ subject: 'ann' });
  });

  it('has to answer the question of this state, in its own name', async () => {
    await using peer = await HandMadeProvider.start();
    const client = clientOf(peer.issuer);
    expect(await signIn(peer, client, { state: 'another' })).toBe('broken');
    expect(await signIn(peer, client, { iss: 'https://evil.example' })).toBe('broken');
    expect(await signIn(peer, client, { error: 'access_denied' })).toBe('denied');
    expect(await signIn(peer, client, { error: 'temporarily_unavailable' })).toBe('unreachable');
    expect(peer.seen.filter((line) => line === 'POST /token')).toEqual([]);
  });

  it('whose document is not as it should be is not used', async () => {
    await using peer = await HandMadeProvider.start();
    for (const changes of [
      { issuer: 'https://evil.example' },
      { issuer: undefined },
      { authorization_endpoint: 'javascript:alert(1)' },
      { authorization_endpoint: 'http://evil.example/authorize' },
      { authorization_endpoint: undefined },
      { token_endpoint: 'http://10.0.0.1/token' },
      { token_endpoint: 'file:///etc/passwd' },
      { token_endpoint: 'https://user:password@evil.example/' },
      { jwks_uri: 7 },
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      { padding: 'x'.repeat(300_000) },
    ]) {
      peer.describe(changes);
      expect([label(changes), await signIn(peer)]).toEqual([label(changes), 'broken']);
    }
    const path = '/.well-known/openid-configuration';
    for (const [change, kind] of [
      [{ body: JSON.stringify(peer.document) + ' '.repeat(300_000) }, 'broken'],
      [{ body: '<html>' }, 'broken'],
      [{ body: '[]' }, 'broken'],
      [{ status: 404 }, 'broken'],
      [{ status: 302, headers: { location: `${peer.issuer}/keys` } }, 'broken'],
      [{ status: 503 }, 'unreachable'],
    ] as const) {
      peer.changes.set(path, (usual): HandMadeAnswer => ({ ...usual, ...change }));
      expect([label(change), await signIn(peer)]).toEqual([label(change), kind]);
    }
    expect(new Set(peer.seen)).toEqual(new Set([`GET ${path}`]));
  });

  it('cannot speak in the name of another, however well its answers fit together', async () => {
    await using peer = await HandMadeProvider.start();
    const other = 'https://login.example.com';
    peer.describe({ issuer: other });
    peer.makeToken = (claims) => peer.sign({ ...claims, iss: other });
    expect(await signIn(peer, clientOf(peer.issuer), { iss: other })).toBe('broken');
  });

  it('leads to no private address on other hosts, follows no redirect, and sends no flood', async () => {
    await using peer = await HandMadeProvider.start();
    await using trap = await HandMadeProvider.start();
    const elsewhere = trap.issuer.replace('127.0.0.1', 'localhost');
    for (const name of ['token_endpoint', 'jwks_uri']) {
      peer.describe({ [name]: `${elsewhere}/token` });
      expect([name, await signIn(peer)]).toEqual([name, 'broken']);
    }
    peer.changes.clear();
    for (const path of ['/token', '/keys']) {
      for (const change of [
        { status: 302, headers: { location: `${trap.issuer}/token` } },
        { status: 200, body: 'x'.repeat(1_000_000) },
        { status: 204, body: '' },
        { status: 500, body: '<html>' },
      ]) {
        peer.changes.set(path, (usual) => ({ ...usual, ...change }));
        expect([path, change.status, await signIn(peer)]).toEqual([path, change.status, 'broken']);
      }
      peer.changes.clear();
    }
    peer.changes.set('/token', (usual) => ({ ...usual, status: 400, body: '{"error":"invalid_grant"}' }));
    expect(await signIn(peer)).toBe('foreign');
    expect(trap.seen).toEqual([]);
  });

  it('is asked for its document once by many, again after a while, and after an answer that was none', async () => {
    await using peer = await HandMadeProvider.start();
    const clock = new TestClock();
    const client = clientOf(peer.issuer, clock);
    const path = '/.well-known/openid-configuration';
    peer.changes.set(path, () => null);
    const waiting = Promise.all(Array.from({ length: 50 }, async () => signIn(peer, client)));
    await expect.poll(() => peer.seen.length).toBe(1);
    await clock.advance(10_000);
    expect(new Set(await waiting)).toEqual(new Set(['unreachable']));
    peer.changes.clear();
    await Promise.all(Array.from({ length: 50 }, async () => client.document()));
    expect(peer.seen).toHaveLength(2);
    await clock.advance(10 * 60_000);
    await client.document();
    expect(peer.seen).toHaveLength(3);
  });
});
