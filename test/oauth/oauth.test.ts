import * as client from 'openid-client';
import { expect, it } from 'vitest';
import { type Clock, pause, systemClock } from '@errand/base/clock.ts';
import { OwnRateLimiter } from '../../src/http/service/http-service.ts';
import { defaultRates } from '../../src/rules/instance/rate-window.ts';
import { raceWindowMs } from '../../src/rules/oauth/oauth-policy.ts';
import type { Database } from '../../src/store/db/database.ts';
import { deleteApp, updateApp } from '../../src/store/oauth/oauth-apps.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import {
  newVerifier,
  OauthUnderTest,
  password,
  redirectUri,
  type TestApp,
  type TokenAnswer,
} from '../support/oauth/oauth-under-test.ts';

const actor = { actor: 'operator', now: 1 };

/** The system's clock, set on: what is trusted for some time is trusted no longer, while every pause still takes its time. */
class AdjustableClock implements Clock {
  #aheadMs = 0;
  setForward(ms: number): void {
    this.#aheadMs += ms;
  }
  now = () => systemClock.now() + this.#aheadMs;
  monotonic = () => systemClock.monotonic() + this.#aheadMs;
  setTimer = (run: () => void, delayMs: number) => systemClock.setTimer(run, delayMs);
}

function keyOf({ accountId, clientId }: TestApp) {
  return { accountId, clientId };
}

describeStores('an application', (store) => {
  it('gets, uses, refreshes and revokes its tokens with a generic client library', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    // oxlint-disable-next-line typescript/no-deprecated -- marked only so that nobody uses it by accident; this is http
    const insecure = { execute: [client.allowInsecureRequests], algorithm: 'oauth2' as const };
    for (const authentication of [client.ClientSecretBasic(app.secret), client.ClientSecretPost(app.secret)]) {
      const server = new URL(oauth.url.replace('127.0.0.1', 'localhost'));
      const config = await client.discovery(server, app.clientId, undefined, authentication, insecure);
      const verifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const target = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'create_task',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      });
      const browser = oauth.browser();
      const page = await browser.signIn(oauth.email, password, target.pathname + target.search);
      const answer = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
      expect(answer.status).toBe(303);
      const tokens = await client.authorizationCodeGrant(config, new URL(answer.location), {
        pkceCodeVerifier: verifier,
        expectedState: state,
      });
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 86_400, scope: 'create_task' });
      expect(await oauth.isLive(tokens.access_token)).toBe(true);
      const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(await oauth.isLive(tokens.access_token)).toBe(false);
      expect(await oauth.isLive(renewed.access_token)).toBe(true);
      await client.tokenRevocation(config, renewed.refresh_token ?? '');
      expect(await oauth.isLive(renewed.access_token)).toBe(false);
    }
  });

  it('learns from the 401 what happened to its token', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp({ scopes: ['create_task'] });
    const { access_token: token, refresh_token: refreshToken } = await oauth.connect(app);
    const send = async (sent: string) => {
      const { status, body, headers } = await oauth.call(sent);
      return [status, body.error.code, headers.get('www-authenticate'), body.error.message];
    };
    const challenge = expect.stringMatching(/^Bearer error="invalid_token", resource_metadata="http/) as string;
    const refused = (message: string) => [401, 'unauthenticated', challenge, expect.stringContaining(message) as string];
    expect(await send(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)).toEqual(
      refused('bearer token is invalid or revoked'),
    );
    expect(await send('nonsense')).toEqual(refused('invalid token'));
    expect((await oauth.api.call('task.list', {}, { key: null })).body.error.message).toContain('missing authentication');
    await store.database.run(updateApp, { ...keyOf(app), ...actor, change: { scopes: ['create_task', 'manage_all_tasks'] } });
    expect(await send(token)).toEqual(refused('reauthorization_required'));
    const renewed = await oauth.refresh(app, refreshToken);
    expect(renewed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(renewed.body.error_description).toContain('reauthorization_required');
    await store.database.run(deleteApp, { ...keyOf(app), ...actor });
    expect(await send(token)).toEqual(refused('bearer token is invalid or revoked'));
    expect(await oauth.refresh(app, refreshToken)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('is refused everywhere within a second of what ends its token, with warm caches', async () => {
    const clock = new AdjustableClock();
    await using here = await OauthUnderTest.start(store.database, { clock });
    await using there = await OauthUnderTest.start(store.others[0] ?? store.database, { clock });
    const app = await here.addApp();
    const endings: ((tokens: { access_token: string; refresh_token: string }) => Promise<unknown>)[] = [
      ({ refresh_token }) => here.refresh(app, refresh_token),
      ({ access_token }) => here.token({ token: access_token, ...here.credentialsOf(app) }, {}, '/oauth/revoke'),
      ({ refresh_token }) => here.token({ token: refresh_token, ...here.credentialsOf(app) }, {}, '/oauth/revoke'),
      () => store.database.run(deleteApp, { ...keyOf(app), ...actor }),
    ];
    for (const end of endings) {
      const tokens = await here.connect(app);
      for (const oauth of [here, there]) expect(await oauth.isLive(tokens.access_token)).toBe(true);
      await end(tokens);
      clock.setForward(999);
      for (const oauth of [here, there]) expect(await oauth.isLive(tokens.access_token)).toBe(false);
    }
  });

  it('trusted by a team acts for that team only, one trusted by everybody for anybody, without scopes', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    await using stranger = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const { challenge } = newVerifier();
    const browser = stranger.browser();
    const page = await browser.signIn(stranger.email, password, stranger.authorizePath(app, challenge));
    expect(page).toMatchObject({ status: 403 });
    expect(page.text).toContain('available to this account');
    const forced = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect(new URL(forced.location).searchParams.get('error')).toBe('access_denied');
    const partner = await oauth.addApp({ kind: 'trusted_public' });
    const { access_token: token } = await stranger.connect(partner);
    expect((await stranger.call(token, 'task.list', { api_key_id: stranger.api.owner.keyId })).status).toBe(200);
    expect((await stranger.call(token, 'webhook.list')).status).toBe(403);
  });
});

/** A database that collects what is asked of it while it is busy, and then does it one after the other. */
class BusyDatabase {
  readonly database: Database;
  #crowd: { size: number; arrived: () => void } | null = null;
  #waiting: PromiseWithResolvers<void>[] = [];
  #firstIsDone = Promise.withResolvers<void>();

  /** @param isHeld which operations have to wait, by their names */
  constructor(database: Database, isHeld: (operation: string) => boolean) {
    const run: Database['run'] = async (operation, args) => {
      const turn = this.#crowd && isHeld(operation.name) ? Promise.withResolvers<void>() : null;
      if (turn && this.#waiting.push(turn) === this.#crowd?.size) this.#crowd.arrived();
      await turn?.promise;
      const result = await database.run(operation, args);
      if (turn) this.#firstIsDone.resolve();
      return result;
    };
    this.database = Object.create(database, { run: { value: run }, hints: { value: database.hints } }) as Database;
  }

  /** Is busy until so many wait. */
  gather(size: number): Promise<void> {
    this.#firstIsDone = Promise.withResolvers();
    return new Promise((arrived) => (this.#crowd = { size, arrived }));
  }

  /** Does the first of those that wait, and the others once its work is older than `ms`. */
  async release(ms: number): Promise<void> {
    const [first, ...others] = this.#waiting;
    [this.#crowd, this.#waiting] = [null, []];
    first?.resolve();
    await this.#firstIsDone.promise;
    await pause(systemClock, ms);
    for (const turn of others) turn.resolve();
  }
}

describeStores('the token endpoint', (store) => {
  it('accepts JSON and forms, secrets in the body and in the header, and answers according to RFC 6749', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const { refresh_token: first } = await oauth.connect(app);
    const sent = {
      more: { a: 1 },
      none: null,
      grant_type: 'refresh_token',
      refresh_token: first,
      client_id: app.clientId,
      client_secret: app.secret,
    };
    const response = await fetch(`${oauth.url}/oauth/token`, {
      method: 'POST',
      body: JSON.stringify(sent),
      headers: { 'content-type': 'application/json' },
    });
    const body = (await response.json()) as Record<string, string>;
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{22}$/);
    expect(Object.keys(body)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope']);
    const basic = Buffer.from(`${app.clientId}:${encodeURIComponent(app.secret)}`).toString('base64');
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    expect((await oauth.token(form, { authorization: `Basic ${basic}` })).status).toBe(200);
  });

  it('reports errors according to RFC 6749', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const mobile = await oauth.addApp({ isPublic: true });
    const { client_id, client_secret } = { client_id: app.clientId, client_secret: app.secret };
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const right = { client_id, client_secret, grant_type: 'refresh_token', refresh_token: 'x' };
    const cases: [Record<string, string | undefined>, Record<string, string>, number, string][] = [
      [{}, {}, 400, 'invalid_request'],
      [{ grant_type: 'authorization_code' }, {}, 401, 'invalid_client'],
      [{ ...right, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
      [{ ...right, client_secret: undefined }, {}, 401, 'invalid_client'],
      [{ ...right, client_id: 'nobody' }, {}, 401, 'invalid_client'],
      [{ ...right, client_id: mobile.clientId }, {}, 401, 'invalid_client'],
      [{ ...right, client_id: mobile.clientId, client_secret: undefined }, {}, 400, 'invalid_grant'],
      [{ ...right, client_secret: undefined }, basic(`${client_id}:wrong`), 401, 'invalid_client'],
      [{ ...right, client_secret: undefined }, basic(client_id), 401, 'invalid_client'],
      [{ ...right, client_secret: undefined }, basic(`%zz:${client_secret}`), 401, 'invalid_client'],
      [right, basic(`${client_id}:${client_secret}`), 400, 'invalid_request'],
      [
        { ...right, client_id: 'other', client_secret: undefined },
        basic(`${client_id}:${client_secret}`),
        400,
        'invalid_request',
      ],
      [{ ...right, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
      [{ ...right, grant_type: 'client_credentials' }, {}, 400, 'unsupported_grant_type'],
      [{ ...right, refresh_token: undefined }, {}, 400, 'invalid_request'],
      [{ ...right, scope: 'root' }, {}, 400, 'invalid_scope'],
      [right, {}, 400, 'invalid_grant'],
      [{ ...right, grant_type: 'authorization_code' }, {}, 400, 'invalid_request'],
      [{ ...right, grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri }, {}, 400, 'invalid_grant'],
    ];
    for (const [fields, headers, status, error] of cases) {
      const answer = await oauth.token(fields, headers);
      const description = expect.any(String) as string;
      expect({ fields, headers, status: answer.status, body: answer.body }).toEqual({
        fields,
        headers,
        status,
        body: { error, error_description: description },
      });
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const raw = async (body: string, type: string) => {
      const response = await fetch(`${oauth.url}/oauth/token`, { method: 'POST', body, headers: { 'content-type': type } });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    const formType = 'application/x-www-form-urlencoded';
    expect(await raw('grant_type=x&grant_type=y', formType)).toEqual([400, 'invalid_request']);
    expect(await raw('grant_type=%zz', formType)).toEqual([400, 'invalid_request']);
    expect(await raw('{', 'application/json')).toEqual([400, 'invalid_request']);
    expect(await raw('grant_type=refresh_token&client_id=%00', formType)).toEqual([400, 'invalid_request']);
    expect(await raw('[]', 'application/json')).toEqual([400, 'invalid_request']);
    expect(await raw('{"grant_type":{}}', 'application/json')).toEqual([400, 'invalid_request']);
    expect(await raw('x', 'text/plain')).toEqual([400, 'invalid_request']);
    expect(await raw('x'.repeat(70_000), formType)).toEqual([413, 'invalid_request']);
  });

  it('counts the requests of each client', async () => {
    // Time stands still, so nothing is given back while the requests are made.
    const limiter = new OwnRateLimiter(new TestClock(Date.now()), defaultRates);
    await using oauth = await OauthUnderTest.start(store.database, { limiter });
    const [one, two] = [await oauth.addApp(), await oauth.addApp()];
    const ask = (app: TestApp, secret = app.secret) => oauth.refresh(app, 'x', { client_secret: secret });
    for (let round = 0; round < 70; round++) await ask(one, 'wrong');
    expect((await ask(one, 'wrong')).status).toBe(429);
    for (let round = 0; round < 60; round++) expect((await ask(one)).status).toBe(400);
    const late = await ask(one);
    expect(late).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await ask(two);
    expect(other.status).toBe(400);
    expect(other.headers.get('ratelimit-remaining')).toBe('59');
  });

  it('counts failed requests by address, whatever client ids they name', async () => {
    const limiter = new OwnRateLimiter(new TestClock(Date.now()), defaultRates);
    await using oauth = await OauthUnderTest.start(store.database, { limiter });
    const [app, mobile] = [await oauth.addApp(), await oauth.addApp({ isPublic: true })];
    const statuses: number[] = [];
    for (let round = 0; round < 70; round++) {
      const fields = { client_id: `random-${round}`, client_secret: 'x', grant_type: 'refresh_token', refresh_token: 'x' };
      statuses.push((await oauth.token(fields)).status);
    }
    expect(statuses).toEqual([...Array<number>(60).fill(401), ...Array<number>(10).fill(429)]);
    // Clients that are known keep limits of their own.
    expect((await oauth.refresh(app, 'x')).status).toBe(400);
    expect((await oauth.refresh(mobile, 'x', { client_secret: undefined })).status).toBe(400);
  });

  it('gives one pair for 50 requests with one code or refresh token at once, and that pair lives, on a slow database', async () => {
    const busy = new BusyDatabase(store.database, (operation) => /^oauthTokens\.(redeem|refresh)$/.test(operation));
    // Time stands still, so the answer that issues tokens leaves only after all other requests have been refused.
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(busy.database, { clock });
    const app = await oauth.addApp();
    const sendFifty = async (send: () => Promise<TokenAnswer>) => {
      let answered = 0;
      const others = Promise.withResolvers<void>();
      const gathered = busy.gather(50);
      const answers = Promise.all(
        Array.from({ length: 50 }, async () => {
          const answer = await send();
          answered += 1;
          if (answered === 49) others.resolve();
          return answer;
        }),
      );
      await gathered;
      // They have waited for longer than the database will take from now on.
      await clock.advance(60_000);
      await busy.release(2 * raceWindowMs);
      await others.promise;
      await clock.advance(1_000);
      return answers;
    };
    for (let round = 0; round < 3; round++) {
      const given = await oauth.obtainCode(app);
      const answers = await sendFifty(() => oauth.redeem(app, given));
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      expect(new Set(answers.map(({ body }) => body.error))).toEqual(new Set([undefined, 'invalid_grant']));
      expect(await oauth.isLive(won?.body.access_token ?? '')).toBe(true);
      let pair = won?.body;
      for (let refresh = 0; refresh < 2; refresh++) {
        const token = pair?.refresh_token ?? '';
        const refreshed = await sendFifty(() => oauth.refresh(app, token));
        const [successor, ...others] = refreshed.filter(({ status }) => status === 200);
        expect(others).toEqual([]);
        expect(await oauth.isLive(successor?.body.access_token ?? '')).toBe(true);
        pair = successor?.body;
      }
    }
  });

  it('revokes everything when its client reuses a code or refresh token after the response was sent', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const given = await oauth.obtainCode(app);
    const { body: first } = await oauth.redeem(app, given);
    const other = newVerifier().verifier;
    for (const wrong of [{ code_verifier: other }, { redirect_uri: `${redirectUri}/` }, { code_verifier: undefined }]) {
      expect(await oauth.redeem(app, given, wrong)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
    expect(await oauth.redeem(await oauth.addApp(), given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await oauth.isLive(first.access_token ?? '')).toBe(true);
    expect(await oauth.redeem(app, given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await oauth.isLive(first.access_token ?? '')).toBe(false);
    const { refresh_token: old } = await oauth.connect(app);
    const { body: second } = await oauth.refresh(app, old);
    expect(await oauth.refresh(app, old)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await oauth.isLive(second.access_token ?? '')).toBe(false);
    expect(await oauth.refresh(app, second.refresh_token ?? '')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('answers a revocation with 200 for any token, to an authenticated client', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const [app, other] = [await oauth.addApp(), await oauth.addApp()];
    const { access_token: token } = await oauth.connect(app);
    const revoke = (fields: Record<string, string>) => oauth.token(fields, {}, '/oauth/revoke');
    expect((await revoke({ token, ...oauth.credentialsOf(other) })).status).toBe(200);
    expect(await oauth.isLive(token)).toBe(true);
    expect((await revoke({ token: 'nonsense', ...oauth.credentialsOf(app) })).status).toBe(200);
    expect((await revoke({ token, client_id: app.clientId })).body.error).toBe('invalid_client');
    expect((await revoke({ ...oauth.credentialsOf(app) })).body.error).toBe('invalid_request');
    expect((await revoke({ token, token_type_hint: 'refresh_token', ...oauth.credentialsOf(app) })).status).toBe(200);
    expect(await oauth.isLive(token)).toBe(false);
  });
});
