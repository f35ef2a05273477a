import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { updateManagedAccount } from '../../src/store/instance/managed-accounts.ts';
import type { Database } from '../../src/store/db/database.ts';
import { createLinkCode, findBridgeChat, linkChat, listServedChats } from '../../src/store/bridges/bridge-chats.ts';
import { newId } from '@errand/base/ids.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import { OauthUnderTest, password } from '../support/oauth/oauth-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { takeErrorPage } from '../support/http/error-page.ts';

function setStatus(database: Database, accountId: string, status: 'active' | 'disabled'): Promise<unknown> {
  const unchanged = { plan: undefined, maxBytes: undefined, maxFiles: undefined, isInstanceOwner: undefined };
  return database.run(updateManagedAccount, { accountId, ...unchanged, status, actor: 'operator', now: Date.now() });
}

const refusal = { code: 'permission_denied', message: expect.stringContaining('This account is disabled') as string };

describeStores('a disabled account', (store) => {
  it('has its keys, tokens, and sessions refused with the reason, and restored when it is enabled', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { api } = oauth;
    const tokens = await oauth.connect(await oauth.addApp());
    const browser = oauth.browser();
    await browser.signIn(oauth.email, password);
    const ask = async () => [
      await api.call('task.list'),
      await oauth.call(tokens.access_token),
      await browser.call('account.update', { locale: 'en' }),
    ];
    for (const { status } of await ask()) expect(status).toBe(200);
    await setStatus(store.database, api.owner.accountId, 'disabled');
    for (const { status, body } of await ask()) expect([status, takeErrorPage(body).error]).toEqual([403, refusal]);
    expect((await browser.send('/')).location).toMatch(/^\/sign-in/);
    await setStatus(store.database, api.owner.accountId, 'active');
    for (const { status } of await ask()) expect(status).toBe(200);
  });

  it('cannot be signed in to, and only who knows the password learns why', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    await setStatus(store.database, oauth.api.owner.accountId, 'disabled');
    const signIn = async (secret: string) => {
      const browser = oauth.browser();
      const page = await browser.open('/sign-in');
      return browser.submit(page, '/sign-in', { email: oauth.email, password: secret });
    };
    const right = await signIn(password);
    expect([right.status, right.text]).toEqual([403, expect.stringContaining('This account is disabled')]);
    expect((await signIn('wrong password')).text).not.toContain('disabled');
    expect(await store.query('SELECT id FROM sessions')).toEqual([]);
  });

  it('gets no new tokens, and keeps the right to them', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const tokens = await oauth.connect(app);
    await setStatus(store.database, oauth.api.owner.accountId, 'disabled');
    expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(400);
    await setStatus(store.database, oauth.api.owner.accountId, 'active');
    expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(200);
  });

  it('has its chats rest: nothing is sent to them, and who writes is known', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { accountId } = oauth.api.owner;
    const place = { platform: 'telegram' as const, bot: 'b1', chat: 'c1' };
    const now = Date.now();
    await store.database.run(createLinkCode, { accountId, digest: 'd', now, expiresAtMs: now + 60_000 });
    await store.database.run(linkChat, {
      ...place,
      digest: 'd',
      chatId: newId(now),
      person: 'u',
      title: 't',
      lastReceived: null,
      now,
    });
    const served = () => store.database.run(listServedChats, { platform: 'telegram', bot: 'b1', afterChat: '', limit: 9 });
    expect(await served()).toHaveLength(1);
    await setStatus(store.database, accountId, 'disabled');
    expect(await served()).toEqual([]);
    expect(await store.database.run(findBridgeChat, place)).toMatchObject({ status: 'disabled' });
  });
});

describe('disabling an account on the command line', () => {
  it('stops its running tasks, and enabling it lets them go on with a message', async () => {
    // A model that never answers keeps the task running.
    const model = createServer();
    await once(model.listen(0, '127.0.0.1'), 'listening');
    const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
    const env = { ERRAND_MODEL: 'compatible/quiet', ERRAND_MODEL_BASE_URL: baseUrl, ERRAND_MODEL_API_KEY: 'k' };
    await using service = await LocalService.start({ env });
    const cli = new CliUnderTest({ ERRAND_DATA_DIR: service.dataDir });
    const call = async (method: 'GET' | 'POST', name: string, input: Record<string, unknown>) => {
      const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : '';
      const headers = { 'x-service-api-key': service.apiKey, 'content-type': 'application/json' };
      const body = method === 'GET' ? {} : { body: JSON.stringify(input) };
      const response = await fetch(`${service.url}/v2/${name}${query}`, { method, headers, ...body });
      return (await response.json()) as { task_id: string; task: { status: string } };
    };
    const { task_id } = await call('POST', 'task.create', { message: { content: 'wait' } });
    const [account] = (await cli.runJson(['account', 'list'])).data as { id: string }[];
    const id = String(account?.id);
    expect(await cli.runJson(['account', 'disable', id])).toMatchObject({ code: 0, account: { status: 'disabled' } });
    const states = async () => ((await cli.runJson(['account', 'show', id])).account as { tasks: Record<string, number> }).tasks;
    while ((await states()).running !== 0);
    expect(await states()).toMatchObject({ stopped: 1 });
    expect((await cli.run(['account', 'enable', id])).code).toBe(0);
    expect((await call('GET', 'task.detail', { task_id })).task.status).toBe('stopped');
    await call('POST', 'task.sendMessage', { task_id, message: { content: 'go on' } });
    expect((await call('GET', 'task.detail', { task_id })).task.status).toBe('running');
    model.closeAllConnections();
    model.close();
  });
});
