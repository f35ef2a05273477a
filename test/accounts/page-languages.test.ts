import { expect, it } from 'vitest';
import { newUuid } from '@errand/base/ids.ts';
import { scopes } from '../../src/rules/accounts/access.ts';
import { createConnector } from '../../src/store/connectors/connectors.ts';
import { describeStores } from '../support/db/databases.ts';
import { findEnglish } from '../support/accounts/english.ts';
import { type Visit, WebBrowser } from '../support/http/scriptless-browser.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { newVerifier, OauthUnderTest, password, type TestApp } from '../support/oauth/oauth-under-test.ts';

function expectChinese({ status, text, headers }: Visit, wanted: number): void {
  expect([status, /<html lang="([^"]*)"/.exec(text)?.[1], findEnglish(text)]).toEqual([wanted, 'zh-CN', []]);
  expect(text).toMatch(/<h1>[^<]*[\u4e00-\u9fff]/);
  expect(headers.get('vary')).toBe('accept-language, cookie');
}

/** The code that a device of the application shows. */
async function beginDevice(oauth: OauthUnderTest, app: TestApp): Promise<string> {
  const { body } = await oauth.token(oauth.credentialsOf(app), {}, '/oauth/device_authorization');
  return (body as unknown as { user_code: string }).user_code;
}

describeStores('the pages without scripts', (store) => {
  it('use the language of the browser before sign-in', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    browser.language = 'zh-CN,zh;q=0.9,en;q=0.8';
    const page = await browser.open('/sign-in');
    expectChinese(page, 200);
    expectChinese(await browser.submit(page, '/sign-in', { email: oauth.email, password: 'wrong' }), 401);
    expectChinese(await browser.post('/sign-in', { email: oauth.email, password }), 403);
    expectChinese(await browser.submit(page, '/sign-in', { email: oauth.email, password: 'x'.repeat(1001) }), 400);
    for (const path of ['/set-up', '/sign-in/oidc']) expectChinese(await browser.send(path), 404);
    expectChinese(await browser.send('/sign-in/forgot'), 412);
    expectChinese(await browser.send('/sign-in/password'), 404);
    const { challenge } = newVerifier();
    const app = await oauth.addApp();
    const wrong = [{ client_id: '' }, { client_id: 'nobody' }, { redirect_uri: '' }, { redirect_uri: 'https://evil.example' }];
    for (const more of wrong) expectChinese(await browser.send(oauth.authorizePath(app, challenge, more)), 400);
    // What the API says is English, and is marked so beside what it means.
    const broken = await browser.send('/sign-in?next=%zz');
    expectChinese(broken, 400);
    expect(broken.text).toMatch(/<p>请求有误[^<]*<\/p><p class="soft small" lang="en">[A-Z]?[a-z]+[^<]*<\/p>/);
    for (const language of ['*', 'fr', 'en, zh;q=0.9', 'zh;q=0', ';q=,\u00e9']) {
      browser.language = language;
      expect((await browser.open('/sign-in')).text).toContain('<html lang="en">');
    }
    for (let round = 0; round < 9; round++) await browser.submit(page, '/sign-in', { email: oauth.email, password: 'wrong' });
    browser.language = 'zh';
    expectChinese(await browser.submit(page, '/sign-in', { email: oauth.email, password }), 429);
  });

  it('use the language of the account after sign-in, whatever that of the browser is', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    browser.language = 'zh';
    expect((await browser.signIn(oauth.email, password)).text).toContain('<html lang="en">');
    expect((await browser.call('account.update', { locale: 'zh-CN' })).status).toBe(200);
    browser.language = 'en-GB';
    expectChinese(await browser.open('/device'), 200);
    const { accountId } = oauth.api.owner;
    const connectorId = newUuid();
    const { verifier, challenge } = newVerifier();
    const app = await oauth.addApp({ scopes, homepage: 'https://reports.example/' });
    const consent = oauth.authorizePath(app, challenge);
    expectChinese(await browser.open(consent), 200);
    await store.database.run(createConnector, {
      ...{ accountId, connectorId, name: 'Garden', description: '', category: 'other', url: 'https://mcp.example/' },
      ...{ headers: null, tools: [], isDefault: true, signIn: null, problem: null, now: 1 },
    });
    const asked = await browser.open(consent);
    expectChinese(asked, 200);
    for (const words of ['连接 Reports？', '以你的名义创建任务', '（<a href="https://reports.example/"', 'Garden', '允许'])
      expect(asked.text).toContain(words);
    const trusted = await oauth.addApp({ kind: 'trusted_team', redirectUris: ['reports:done'] });
    expectChinese(await browser.open(oauth.authorizePath(trusted, challenge, { redirect_uri: 'reports:done' })), 200);
    const foreign = await oauth.addApp({ accountId: (await addOwner(store.database)).accountId });
    expectChinese(await browser.open(oauth.authorizePath(foreign, challenge)), 403);
    const { location } = await browser.submit(asked, '/oauth/authorize', { decision: 'allow' });
    await oauth.redeem(app, { code: new URL(location).searchParams.get('code') ?? '', verifier });

    const choosing = '/oauth-apps/connector-consent';
    const choice = await browser.open(`${choosing}?client_id=${app.clientId}`);
    expectChinese(choice, 200);
    expectChinese(await browser.submit(choice, choosing), 200);
    expectChinese(await browser.open(choosing), 404);
    expectChinese(await browser.submit(choice, choosing, { action: 'else' }), 400);
    expectChinese(await browser.post(choosing, {}), 403);
    expectChinese(await browser.send('/settings/connectors/callback?error=access_denied'), 412);
    expectChinese(await browser.send('/settings/connectors/callback'), 400);
    const unknown = await browser.send(`/settings/connectors/callback?code=x&state=${connectorId}.x`);
    expectChinese(unknown, unknown.status);
    expectChinese(await browser.send('/sign-in/link'), 404);
  });

  it('ask for devices in it', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password);
    await browser.call('account.update', { locale: 'zh-TW' });
    const unknown = await browser.submit(page, '/device', { user_code: 'BCDF-GHJK' });
    expectChinese(unknown, 400);
    expect(unknown.text).toContain('没有设备在等待此代码');
    const app = await oauth.addApp();
    for (const decision of ['allow', 'deny']) {
      const question = await browser.submit(page, '/device', { user_code: await beginDevice(oauth, app) });
      expectChinese(question, 200);
      expectChinese(await browser.submit(question, '/device', { decision }), 200);
    }
  });

  it('set a fresh instance up in it', async () => {
    const settings = { controlSocket: `/nowhere/${'x'.repeat(200)}` };
    await using api = await ApiUnderTest.start(store.database, { settings });
    const browser = new WebBrowser(api.http.url().replace('127.0.0.1', 'localhost'));
    browser.language = 'zh-Hans';
    const page = await browser.open('/set-up');
    expectChinese(page, 200);
    const given = { email: 'ann@example.com', password: 'a long password', again: 'a long password' };
    for (const wrong of [{ again: 'other' }, { password: 'short', again: 'short' }, { email: 'ann' }])
      expectChinese(await browser.submit(page, '/set-up', { ...given, ...wrong }), 400);
    expect((await browser.submit(page, '/set-up', given)).status).toBe(303);
    browser.cookies.clear();
    expectChinese(await browser.send('/set-up'), 404);
  });
});
