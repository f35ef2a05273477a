import { expect, it } from 'vitest';
import { deleteExpiredGrants } from '../../src/store/oauth/oauth-grants.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { newVerifier, OauthUnderTest, password, redirectUri } from '../support/oauth/oauth-under-test.ts';

/** What an answer to the application says. */
function readAnswer(location: string): Record<string, string> {
  expect(location.startsWith(`${redirectUri}?`)).toBe(true);
  return Object.fromEntries(new URL(location).searchParams);
}

describeStores('/oauth/authorize', (store) => {
  it('asks for consent, redirects by 303 with code, state and issuer, and cannot be framed, cached or read by others', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp({ name: '<b>Reports</b>', scopes: ['create_task', 'use_connectors'] });
    const { challenge } = newVerifier();
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, oauth.authorizePath(app, challenge, { state: 'a&b "c"' }));
    expect(page.status).toBe(200);
    for (const words of [
      '&lt;b&gt;Reports&lt;/b&gt;',
      'Create tasks in your name',
      'the connectors you choose here',
      'https://app.example',
    ]) {
      expect(page.text).toContain(words);
    }
    expect(page.text).not.toContain('<b>');
    expect(page.text).not.toContain('online');
    const headers = Object.fromEntries(page.headers);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
    expect(headers['content-security-policy']).toContain("form-action 'self' https://app.example; ");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const answer = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(readAnswer(answer.location)).toEqual({
      code: expect.stringMatching(/^code_/) as string,
      state: 'a&b "c"',
      iss: oauth.url.replace('127.0.0.1', 'localhost'),
    });
    const refused = await browser.submit(page, '/oauth/authorize', { decision: 'deny' });
    expect(readAnswer(refused.location)).toMatchObject({ error: 'access_denied', state: 'a&b "c"' });
  });

  it("never redirects to an unregistered URI, and reports the application's errors to a registered one", async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const { challenge } = newVerifier();
    const browser = oauth.browser();
    const ask = (more: Record<string, string>) => browser.send(oauth.authorizePath(app, challenge, more));
    for (const wrong of [
      'https://evil.example/',
      `${redirectUri}/`,
      `${redirectUri}?x`,
      redirectUri.toUpperCase(),
      'javascript:alert(1)',
    ]) {
      for (const more of [{}, { response_type: 'token' }]) {
        const shown = await ask({ redirect_uri: wrong, ...more });
        expect([shown.status, shown.location, shown.headers.get('content-type')]).toEqual([400, '', 'text/html; charset=utf-8']);
      }
    }
    expect(await ask({ client_id: 'nobody' })).toMatchObject({ status: 400, location: '' });
    expect(await browser.send('/oauth/authorize')).toMatchObject({ status: 400, location: '' });
    expect(await browser.send(`${oauth.authorizePath(app, challenge)}&redirect_uri=https://evil.example`)).toMatchObject({
      status: 400,
      location: '',
    });
    const mistakes: [Record<string, string>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: '' }, 'invalid_request'],
      [{ scope: 'manage_all_tasks' }, 'invalid_scope'],
    ];
    for (const [more, error] of mistakes) {
      const reported = await ask(more);
      expect(reported.status).toBe(303);
      const answer = readAnswer(reported.location);
      expect(answer).toMatchObject({ error, state: 's' });
      expect(answer.iss).toBe(oauth.url.replace('127.0.0.1', 'localhost'));
    }
    const preflight = await fetch(oauth.url + oauth.authorizePath(app, challenge), { method: 'OPTIONS' });
    expect(preflight.status).toBe(405);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('accepts PKCE with S256 only: a wrong, missing or plain verifier gets nothing, for any client authentication', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    for (const isPublic of [false, true]) {
      const app = await oauth.addApp({ isPublic });
      const given = await oauth.obtainCode(app);
      const { challenge } = newVerifier();
      for (const code_verifier of [undefined, '', challenge, 'short', newVerifier().verifier, given.verifier.toLowerCase()]) {
        expect(await oauth.redeem(app, given, { code_verifier })).toMatchObject({
          status: 400,
          body: { error: 'invalid_grant' },
        });
      }
      expect((await oauth.redeem(app, given)).status).toBe(200);
    }
  });

  it('issues a code for ten minutes, an access token for a day and a refresh token for thirty', async () => {
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(store.database, { clock });
    const app = await oauth.addApp();
    /** An answer with tokens waits on the clock. */
    const whileTimePasses = async <Result>(answer: Promise<Result>): Promise<Result> => {
      const pending = Symbol('pending');
      for (;;) {
        const first = await Promise.race([
          answer,
          clock.advance(10).then(() => new Promise((resolve) => setImmediate(resolve, pending))),
        ]);
        if (first !== pending) return first as Result;
      }
    };
    const [late, timely] = [await oauth.obtainCode(app), await oauth.obtainCode(app)];
    clock.jump(9 * 60_000);
    const { body } = await whileTimePasses(oauth.redeem(app, timely));
    clock.jump(60_000);
    expect(await oauth.redeem(app, late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const token = body.access_token ?? '';
    clock.jump(24 * 3_600_000 - 120_000);
    expect(await oauth.isLive(token)).toBe(true);
    clock.jump(119_000);
    await clock.advance(1000);
    expect((await oauth.call(token)).body.error.message).toBe('bearer token is invalid or revoked');
    clock.jump(29 * 24 * 3_600_000 - 120_000);
    const { body: renewed } = await whileTimePasses(oauth.refresh(app, body.refresh_token ?? ''));
    expect(renewed.access_token).toMatch(/^access_/);
    clock.jump(30 * 24 * 3_600_000);
    expect((await oauth.refresh(app, renewed.refresh_token ?? '')).body.error).toBe('invalid_grant');
    expect(await store.database.run(deleteExpiredGrants, { now: clock.now(), spentBefore: 0, limit: 100 })).toBe(2);
  });

  it('is also available at the URL of older applications', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const { verifier, challenge } = newVerifier();
    const path = oauth.authorizePath(app, challenge).replace('/oauth/authorize', '/openapi/oauth');
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, path);
    const answer = await browser.submit(page, '/openapi/oauth', { decision: 'allow' });
    const { code = '' } = readAnswer(answer.location);
    expect((await oauth.redeem(app, { code, verifier })).status).toBe(200);
  });

  it('accepts no decision without the form issued to this browser', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const { challenge } = newVerifier();
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, oauth.authorizePath(app, challenge));
    const request = oauth.authorizePath(app, challenge).split('?')[1] ?? '';
    const form = { request, decision: 'allow' };
    expect((await browser.post('/oauth/authorize', form)).status).toBe(403);
    expect((await browser.post('/oauth/authorize', { ...form, form_token: 'x'.repeat(43) })).status).toBe(403);
    const attacker = oauth.browser();
    const own = await attacker.open('/sign-in');
    const stolen = /name="form_token" value="([^"]+)"/.exec(own.text)?.[1] ?? '';
    expect((await browser.post('/oauth/authorize', { ...form, form_token: stolen })).status).toBe(403);
    const right = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await browser.post('/oauth/authorize', { ...form, request: 'client_id=%00', form_token: right })).status).toBe(400);
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }]) {
      expect((await browser.post('/oauth/authorize', { ...form, form_token: right }, headers)).status).toBe(403);
    }
    expect((await oauth.browser().post('/oauth/authorize', { ...form, form_token: right })).location).toBe('/sign-in');
    expect((await browser.post('/oauth/authorize', { ...form, form_token: right })).status).toBe(303);
    const [grants] = await store.query('SELECT COUNT(*) AS count FROM oauth_grants');
    expect(Number(grants?.count)).toBe(1);
  });
});
