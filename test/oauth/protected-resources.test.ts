import { expect, it } from 'vitest';
import { newUuid } from '@errand/base/ids.ts';
import { describeStores } from '../support/db/databases.ts';
import { newVerifier, OauthUnderTest, password, redirectUri } from '../support/oauth/oauth-under-test.ts';

/** As the service calls itself. */
function publicUrlOf({ api }: OauthUnderTest): string {
  return `http://localhost:${api.port}`;
}

function post(oauth: OauthUnderTest, path: string, headers: Record<string, string>) {
  return fetch(oauth.url + path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } });
}

describeStores('a protected resource', (store) => {
  it('says with each 401 where tokens come from, and whether the one it was sent is not valid', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const base = `${publicUrlOf(oauth)}/.well-known/oauth-protected-resource`;
    const challenge = async (path: string, headers: Record<string, string> = {}) => {
      const response = await post(oauth, path, headers);
      return [path, response.status, response.headers.get('www-authenticate')];
    };
    for (const path of ['/v2/task.create', '/v1/tasks', '/v1/responses', '/responses', '/mcp']) {
      const metadata = `resource_metadata="${base}${path === '/mcp' ? '/mcp' : ''}"`;
      const bare = [path, 401, `Bearer ${metadata}`];
      expect(await challenge(path)).toEqual(bare);
      expect(await challenge(path, { authorization: 'Basic eDp5' })).toEqual(bare);
      const invalid = [path, 401, `Bearer error="invalid_token", ${metadata}`];
      expect(await challenge(path, { authorization: 'Bearer sk-unknown' })).toEqual(invalid);
      if (path.startsWith('/v2') || path === '/mcp') {
        expect(await challenge(path, { authorization: 'Bearer x' })).toEqual(invalid);
        expect(await challenge(path, { 'x-service-api-key': 'sk-unknown' })).toEqual(bare);
      } else expect(await challenge(path, { api_key: 'sk-unknown', authorization: 'Bearer x' })).toEqual(bare);
    }
    const stream = await oauth.api.fetch('/v2/task.stream?task_id=x', {}, { key: null });
    expect([stream.status, stream.headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${base}"`]);
  });

  it('says with a 403 for a missing scope which one to ask for, beside those that the token has', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const scopes = ['create_task', 'create_project', 'use_connectors'] as const;
    const app = await oauth.addApp({ scopes });
    const { refresh_token: refreshToken } = await oauth.connect(app);
    const { body } = await oauth.refresh(app, refreshToken, { scope: 'create_project' });
    const token = String(body.access_token);
    const metadata = `resource_metadata="${publicUrlOf(oauth)}/.well-known/oauth-protected-resource"`;
    const needed = `error="insufficient_scope", scope="create_task create_project"`;
    const refused = await oauth.call(token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, `Bearer ${needed}, ${metadata}`]);
    const mcp = await post(oauth, '/mcp', { authorization: `Bearer ${token}` });
    expect([mcp.status, mcp.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer ${needed}, ${metadata.replace(/"$/, '/mcp"')}`,
    ]);
    const other = await oauth.call(token, 'webhook.list');
    expect([other.status, other.headers.get('www-authenticate')]).toEqual([403, `Bearer ${metadata}`]);
    const agents = await oauth.call(token, 'agent.list');
    expect([agents.status, agents.headers.get('www-authenticate')]).toEqual([403, `Bearer ${metadata}`]);
  });

  it('says with a 403 for a connector that its user was not asked about which scope that takes', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { access_token: token } = await oauth.connect(await oauth.addApp());
    const message = { content: 'x', connectors: [newUuid()] };
    const refused = await oauth.call(token, 'task.create', { message });
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="create_task use_connectors", ');
  });

  it('is described where it is pointed to', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const base = publicUrlOf(oauth);
    for (const path of ['', '/mcp']) {
      const described = await oauth.api.fetch(`/.well-known/oauth-protected-resource${path}`, {}, { key: null });
      expect(await described.json()).toMatchObject({ resource: `${base}${path}`, authorization_servers: [base] });
    }
  });
});

describeStores('the resource of an OAuth request', (store) => {
  const foreign = (base: string) => [
    'https://elsewhere.example/mcp',
    `${base}.evil.example/mcp`,
    base.replace(/:\d+$/, ''),
    base.replace('http:', 'https:'),
    `${base}/mcp#x`,
    base.replace('//', '//me@'),
    '/mcp',
    'mcp',
  ];

  it('has to be of this instance: authorization answers invalid_target for others', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const { challenge } = newVerifier();
    const base = publicUrlOf(oauth);
    const browser = oauth.browser();
    await browser.signIn(oauth.email, password, oauth.authorizePath(app, challenge));
    for (const resource of foreign(base)) {
      const { status, location } = await browser.open(oauth.authorizePath(app, challenge, { resource }));
      expect([resource, status, location.startsWith(redirectUri)]).toEqual([resource, 303, true]);
      expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({ error: 'invalid_target', state: 's' });
    }
    for (const resource of [base, `${base}/`, `${base}/mcp`, `${base}/v2`, oauth.url, `${oauth.url}/mcp`])
      expect((await browser.open(oauth.authorizePath(app, challenge, { resource }))).status).toBe(200);
  });

  it('has to be of this instance: the token and device endpoints answer invalid_target for others, and spend nothing', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const app = await oauth.addApp();
    const base = publicUrlOf(oauth);
    const code = await oauth.obtainCode(app);
    const invalid = { status: 400, body: { error: 'invalid_target' } };
    for (const resource of foreign(base)) {
      expect(await oauth.redeem(app, code, { resource })).toMatchObject(invalid);
      const device = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x', resource };
      expect(await oauth.token({ ...device, ...oauth.credentialsOf(app) })).toMatchObject(invalid);
      const asked = await oauth.token({ resource, ...oauth.credentialsOf(app) }, {}, '/oauth/device_authorization');
      expect(asked).toMatchObject(invalid);
    }
    const first = await oauth.redeem(app, code, { resource: `${base}/mcp` });
    expect(first.status).toBe(200);
    const refreshToken = String(first.body.refresh_token);
    expect(await oauth.refresh(app, refreshToken, { resource: 'https://elsewhere.example' })).toMatchObject(invalid);
    expect((await oauth.refresh(app, refreshToken, { resource: base })).status).toBe(200);
  });
});
