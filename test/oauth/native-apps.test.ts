import { describe, expect, it } from 'vitest';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import type { Json } from '../support/http/api-under-test.ts';
import { newVerifier, OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';
import { takeErrorPage } from '../support/http/error-page.ts';

const wrongUris: [type: string, uri: string][] = [
  ['web', 'http://app.example/cb'],
  ['web', 'https://localhost/cb'],
  ['web', 'http://127.0.0.1/cb'],
  ['web', 'com.example.app:/cb'],
  ['native', 'https://app.example/cb'],
  ['native', 'http://192.168.1.20/cb'],
  ['native', 'http://localhost.example/cb'],
  ['native', 'https://127.0.0.1/cb'],
];

describeStores('a program on the machine of its user', (store) => {
  it('receives its code at the port that it got, and exchanges it for that port alone', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const registered = ['http://127.0.0.1/cb', 'http://[::1]:8000/cb', 'http://localhost:3000/cb?x=1'];
    const app = await oauth.addApp({ isPublic: true, redirectUris: registered, applicationType: 'native' });
    const browser = oauth.browser();
    const ask = async (redirect_uri: string, challenge: string) => {
      const path = oauth.authorizePath(app, challenge, { redirect_uri });
      return browser.cookies.size > 0 ? browser.open(path) : browser.signIn(oauth.email, password, path);
    };
    for (const uri of ['http://127.0.0.1:49152/cb', 'http://[::1]/cb', 'http://localhost:65535/cb?x=1']) {
      const { verifier, challenge } = newVerifier();
      const page = await ask(uri, challenge);
      expect([page.status, page.text]).toEqual([200, expect.stringContaining(new URL(uri).hostname)]);
      const { location } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
      expect(location.startsWith(uri)).toBe(true);
      const code = new URL(location).searchParams.get('code') ?? '';
      const other = { redirect_uri: uri.replace(/:\d+\/cb|\/cb/, ':1024/cb') };
      expect((await oauth.redeem(app, { code, verifier }, other)).body).toMatchObject({ error: 'invalid_grant' });
      expect((await oauth.redeem(app, { code, verifier }, { redirect_uri: uri })).body).toMatchObject({ scope: 'create_task' });
    }
    const { challenge } = newVerifier();
    for (const uri of ['http://127.0.0.1:1/other', 'http://localhost:1/cb', 'https://127.0.0.1:1/cb', 'http://127.0.0.2:1/cb'])
      expect([uri, (await ask(uri, challenge)).status]).toEqual([uri, 400]);
  });

  it('registers as native, with loopback addresses or a scheme of its own, and is listed as that', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    await browser.signIn(oauth.email, password);
    const create = async (application_type: string | undefined, ...redirect_uris: string[]) =>
      (await browser.call('app.create', { name: 'A', redirect_uris, application_type, public_client: true })).body;
    const made = await create('native', 'http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost:8/cb', 'com.example.app:/cb');
    expect(made.app).toMatchObject({ application_type: 'native' });
    expect((await create('web', 'https://app.example/cb')).app).toMatchObject({ application_type: 'web' });
    // As before: any redirect URI that is safe.
    expect((await create(undefined, 'http://app.example/cb', 'a:b')).app).toMatchObject({ application_type: null });
    for (const [type, uri] of wrongUris) {
      const { error } = takeErrorPage(await create(type, uri));
      expect([type, uri, error]).toEqual([
        ...[type, uri],
        {
          code: 'invalid_argument',
          message: expect.stringMatching(`^redirect_uris: .*${type} application`) as string,
          param: 'redirect_uris',
        },
      ]);
    }
    expect((await create('desktop', 'a:b')).error).toMatchObject({
      message: expect.stringContaining('application_type') as string,
    });

    const key = { client_id: made.client_id };
    const update = async (change: Json) => (await browser.call('app.update', { ...key, ...change })).body;
    expect((await update({ application_type: 'web' })).error).toMatchObject({ code: 'invalid_argument' });
    expect((await update({ redirect_uris: ['https://app.example/cb'] })).error).toMatchObject({ code: 'invalid_argument' });
    const changed = await update({ application_type: 'web', redirect_uris: ['https://app.example/cb'] });
    expect(changed.app).toMatchObject({ application_type: 'web', redirect_uris: ['https://app.example/cb'] });
    const listed = await oauth.api.http.inject({ method: 'GET', path: '/admin/app.list', account: oauth.email });
    const data = listed.body.data as Json[];
    expect(data.map(({ application_type: type }) => type)).toEqual(['web', 'web', null]);
  });
});

describe('errand app create', () => {
  it('registers a native application, which app show names as one', async () => {
    const cli = new CliUnderTest();
    const create = ['app', 'create', '--name', 'Desk', '--public-client', '--type', 'native', '--redirect-uri'];
    const made = await cli.runJson([...create, 'http://127.0.0.1/cb']);
    expect(made.app).toMatchObject({ application_type: 'native' });
    expect((await cli.run(['app', 'show', String(made.client_id)])).stdout).toMatch(/^application_type +native$/m);
    expect(await cli.run([...create, 'https://desk.example/cb'])).toMatchObject({ code: 1 });
  });
});
