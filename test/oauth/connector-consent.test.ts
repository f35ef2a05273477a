import { expect, it } from 'vitest';
import { newUuid } from '@errand/base/ids.ts';
import { createConnector } from '../../src/store/connectors/connectors.ts';
import type { Database } from '../../src/store/db/database.ts';
import { readLog } from '../../src/store/events/events.ts';
import { describeStores } from '../support/db/databases.ts';
import { readForm, type Visit, type WebBrowser } from '../support/http/scriptless-browser.ts';
import { addOwner, type Json } from '../support/http/api-under-test.ts';
import { newVerifier, OauthUnderTest, password, type TestApp } from '../support/oauth/oauth-under-test.ts';

const scopes = ['create_task', 'use_connectors'] as const;

async function addConnector(database: Database, accountId: string, name: string): Promise<string> {
  const connectorId = newUuid();
  await database.run(createConnector, {
    ...{ accountId, connectorId, name, description: '', category: 'other', url: 'https://mcp.example/secret-path' },
    ...{ headers: null, tools: [], isDefault: true, signIn: null, problem: null, now: 1 },
  });
  return connectorId;
}

function ticked(...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [`connector_${id}`, 'yes']));
}

/** Signs in and allows, with these boxes ticked; tokens of it, and the page that asked. */
async function connect(oauth: OauthUnderTest, app: TestApp, ids: readonly string[], browser = oauth.browser()) {
  const { verifier, challenge } = newVerifier();
  const path = oauth.authorizePath(app, challenge);
  const page = browser.cookies.size > 0 ? await browser.open(path) : await browser.signIn(oauth.email, password, path);
  const fields = { ...readForm(page.text, '/oauth/authorize'), ...ticked(...ids), decision: 'allow' };
  const answer = await browser.post('/oauth/authorize', fields);
  const code = new URL(answer.location).searchParams.get('code') ?? '';
  const { body } = await oauth.redeem(app, { code, verifier });
  return { page, browser, token: String(body.access_token), refreshToken: String(body.refresh_token) };
}

async function listed(oauth: OauthUnderTest, token: string): Promise<unknown[]> {
  return (await oauth.call(token, 'connector.list')).body.data.map(({ name, url }) => [name, url]);
}

function boxes({ text }: Visit): string[] {
  return [...text.matchAll(/<input type="checkbox" name="connector_[^"]+" value="yes"( checked)?> <span>([A-Z])/g)].map(
    ([, isChecked, name]) => `${name}${isChecked ? ' checked' : ''}`,
  );
}

async function choose(browser: WebBrowser, app: TestApp, ids: readonly string[]): Promise<Visit> {
  const path = '/oauth-apps/connector-consent';
  const page = await browser.open(`${path}?client_id=${app.clientId}`);
  const kept = Object.entries(readForm(page.text, path)).filter(([name]) => !name.startsWith('connector_'));
  return browser.post(path, { ...Object.fromEntries(kept), ...ticked(...ids) });
}

describeStores('connectors of an application', (store) => {
  it('are those that its user selects, at consent and later, and no others exist for it', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { accountId } = oauth.api.owner;
    const [a, b] = [await addConnector(store.database, accountId, 'A'), await addConnector(store.database, accountId, 'B')];
    const foreign = await addConnector(store.database, (await addOwner(store.database)).accountId, 'F');
    const app = await oauth.addApp({ scopes });
    const { page, browser, token, refreshToken } = await connect(oauth, app, [a, foreign]);
    expect(boxes(page)).toEqual(['A', 'B']);
    expect(page.text).not.toContain('secret-path');
    expect(await listed(oauth, token)).toEqual([['A', 'https://mcp.example']]);

    const create = (connectors?: readonly string[], as = token) =>
      oauth.call(as, 'task.create', { message: { content: 'x', ...(connectors && { connectors }) } });
    const send = (taskId: unknown, connectors: readonly string[]) =>
      oauth.call(token, 'task.sendMessage', { task_id: taskId, message: { content: 'y', connectors } });
    for (const id of [b, foreign, newUuid()]) {
      const refusal = { status: 403, message: `insufficient_scope: connector ${id} not granted` };
      const { status, body } = await create([a, id]);
      expect({ status, message: body.error.message }).toEqual(refusal);
    }
    const mine = (await create([a])).body.task_id;
    expect((await send(mine, [b])).body.error.code).toBe('permission_denied');
    expect((await send(mine, [a.toUpperCase()])).status).toBe(200);
    const plain = (await create()).body.task_id;
    const log = await store.database.run(readLog, { accountId, taskId: String(plain), afterSeq: 0, limit: 10 });
    expect(log.find(({ event }) => event.type === 'user_message')?.event).toMatchObject({ connectorGrant: [a] });

    const fresh = await oauth.refresh(app, refreshToken);
    expect(await listed(oauth, String(fresh.body.access_token))).toHaveLength(1);
    expect((await choose(browser, app, [b])).text).toContain('can now use the connectors you chose');
    await expect.poll(() => listed(oauth, String(fresh.body.access_token))).toEqual([['B', 'https://mcp.example']]);
    const without = await oauth.refresh(app, String(fresh.body.refresh_token), { scope: 'create_task' });
    expect(await listed(oauth, String(without.body.access_token))).toEqual([]);
    expect((await create([b], String(without.body.access_token))).status).toBe(403);
    expect(boxes((await connect(oauth, app, [], browser)).page)).toEqual(['A', 'B checked']);
    const record = await store.query("SELECT detail FROM security_events WHERE kind = 'app_connectors_chosen'");
    expect(record.map(({ detail }) => JSON.parse(String(detail)) as Json)).toMatchObject([
      { client_id: app.clientId, connectors: b },
    ]);
  });

  it('are not asked for without the scope, and are all available to a trusted application', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const a = await addConnector(store.database, oauth.api.owner.accountId, 'A');
    const plain = await connect(oauth, await oauth.addApp(), [a]);
    expect(boxes(plain.page)).toEqual([]);
    expect(await listed(oauth, plain.token)).toEqual([]);
    const trusted = await connect(oauth, await oauth.addApp({ scopes, kind: 'trusted_team' }), []);
    expect(boxes(trusted.page)).toEqual([]);
    expect(await listed(oauth, trusted.token)).toHaveLength(1);
    expect((await oauth.call(trusted.token, 'task.create', { message: { content: 'x', connectors: [a] } })).status).toBe(200);
  });

  it('can only be changed by the user of a connected application, with our own form', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const a = await addConnector(store.database, oauth.api.owner.accountId, 'A');
    const [app, other] = [await oauth.addApp({ scopes }), await oauth.addApp({ scopes })];
    const { browser, token } = await connect(oauth, app, []);
    const path = '/oauth-apps/connector-consent';
    expect((await browser.open(`${path}?client_id=${other.clientId}`)).status).toBe(404);
    expect((await browser.open(path)).status).toBe(404);
    const form = readForm((await browser.open(`${path}?client_id=${app.clientId}`)).text, path);
    expect((await browser.post(path, { ...form, ...ticked(a), form_token: 'x' })).status).toBe(403);
    expect((await browser.post(path, { ...form, ...ticked(a) }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await browser.post(path, { ...form, ...ticked(a), client_id: other.clientId })).status).toBe(404);
    expect((await oauth.browser().post(path, { ...form, ...ticked(a) })).location).toMatch(/^\/sign-in/);
    expect(await listed(oauth, token)).toEqual([]);
  });

  it('are selected for a device in the browser', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { accountId } = oauth.api.owner;
    const [a] = [await addConnector(store.database, accountId, 'A'), await addConnector(store.database, accountId, 'B')];
    const app = await oauth.addApp({ scopes });
    const begun = (await oauth.token(oauth.credentialsOf(app), {}, '/oauth/device_authorization')).body as unknown as Json;
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, `/device?user_code=${String(begun.user_code)}`);
    const question = await browser.submit(page, '/device');
    expect(boxes(question)).toEqual(['A', 'B']);
    await browser.post('/device', { ...readForm(question.text, '/device'), ...ticked(a), decision: 'allow' });
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const { body } = await oauth.token({ grant_type, device_code: String(begun.device_code), ...oauth.credentialsOf(app) });
    expect(await listed(oauth, String(body.access_token))).toEqual([['A', 'https://mcp.example']]);
  });
});
