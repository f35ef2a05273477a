import * as client from 'openid-client';
import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { readForm } from '../support/http/scriptless-browser.ts';
import { OauthUnderTest, password, type TestApp } from '../support/oauth/oauth-under-test.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

interface Device {
  device_code: string;
  user_code: string;
}

async function begin(oauth: OauthUnderTest, app: TestApp): Promise<Device> {
  return (await oauth.token(oauth.credentialsOf(app), {}, '/oauth/device_authorization')).body as unknown as Device;
}

/** What the page says after the user has typed the code and decided. */
async function decide(oauth: OauthUnderTest, userCode: string, decision: 'allow' | 'deny'): Promise<string> {
  const browser = oauth.browser();
  const page = await browser.signIn(oauth.email, password, `/device?user_code=${userCode}`);
  const question = await browser.submit(page, '/device');
  if (!question.text.includes('value="decide"')) return question.text;
  return (await browser.post('/device', { ...readForm(question.text, '/device'), decision })).text;
}

describeStores('a device', (store) => {
  it('is connected by its user in a browser, with a generic client library', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp({ isPublic: true, scopes: ['create_task', 'create_project'] });
    // oxlint-disable-next-line typescript/no-deprecated -- marked only so that nobody uses it by accident; this is http
    const insecure = { execute: [client.allowInsecureRequests], algorithm: 'oauth2' as const };
    const server = new URL(oauth.url.replace('127.0.0.1', 'localhost'));
    const config = await client.discovery(server, app.clientId, undefined, client.None(), insecure);
    const device = await client.initiateDeviceAuthorization(config, { scope: 'create_task' });
    expect(device).toMatchObject({ expires_in: 600, interval: 5, verification_uri: `${server.origin}/device` });
    expect(await decide(oauth, device.user_code, 'allow')).toContain('is connected');
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 });
    expect(tokens.scope).toBe('create_task');
    expect(await oauth.isLive(tokens.access_token)).toBe(true);
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).scope).toBe('create_task');
  });

  it('receives its status, and its tokens once', async () => {
    const clock = new TestClock(Date.now());
    await using oauth = await OauthUnderTest.start(store.database, { clock });
    const [app, other] = [await oauth.addApp(), await oauth.addApp()];
    const poll = async ({ device_code }: Device, as = app) => {
      const asked = oauth.token({ grant_type, device_code, ...oauth.credentialsOf(as) });
      for (;;) {
        const pending = clock.advance(1).then(() => new Promise<null>((resolve) => setImmediate(resolve, null)));
        const answer = await Promise.race([asked, pending]);
        if (answer) return answer.body.error ?? 'tokens';
      }
    };
    const [allowed, denied, late] = [await begin(oauth, app), await begin(oauth, app), await begin(oauth, app)];
    // The interval is one between two questions.
    expect(await poll(allowed)).toBe('authorization_pending');
    expect(await poll(allowed)).toBe('slow_down');
    expect(await poll(allowed, other)).toBe('expired_token');
    await decide(oauth, denied.user_code, 'deny');
    expect(await poll(denied)).toBe('access_denied');
    expect(await decide(oauth, denied.user_code, 'allow')).toContain('No device is waiting');
    await decide(oauth, allowed.user_code, 'allow');
    expect(await poll(allowed, other)).toBe('expired_token');
    expect(await poll(allowed)).toBe('tokens');
    expect(await poll(allowed)).toBe('invalid_grant');
    clock.jump(600_000);
    expect(await decide(oauth, late.user_code, 'allow')).toContain('No device is waiting');
    expect(await poll(late)).toBe('expired_token');
    expect(
      (await oauth.token({ ...oauth.credentialsOf(app), scope: 'manage_all_tasks' }, {}, '/oauth/device_authorization')).body
        .error,
    ).toBe('invalid_scope');
  });
});
