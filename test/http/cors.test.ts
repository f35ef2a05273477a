import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, openStore } from '../support/db/databases.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';

const friend = 'https://app.example';
const stranger = 'https://evil.example';
const asked = 'authorization, content-type, mcp-protocol-version, mcp-session-id, last-event-id';

describe('pages of other origins', () => {
  let store: OpenStore;
  let api: ApiUnderTest;
  beforeAll(async () => {
    store = await openStore('sqlite');
    api = await ApiUnderTest.start(store.database, { settings: { corsOrigins: [friend] } });
  });
  afterAll(async () => {
    await api.stop();
    await store.close();
  });

  const preflight = (path: string, origin: string, headers = asked, method = 'POST') =>
    fetch(api.http.url() + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
    });
  const listTools = (headers: Record<string, string>) =>
    api.fetch(
      '/mcp',
      { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
      {
        key: null,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${api.owner.key}`,
          ...headers,
        },
      },
    );

  it('cannot use /mcp unless their origin is ours or allowed, also under a name that leads here', async () => {
    const { port } = api;
    const foreign = [stranger, `${friend}.evil.example`, 'http://app.example', `http://evil.example:${port}`, 'null', 'x', ''];
    for (const origin of foreign) {
      const answer = await listTools({ origin });
      expect([origin, answer.status, await answer.json()]).toMatchObject([
        origin,
        403,
        { ok: false, error: { code: 'permission_denied', message: expect.stringContaining('ERRAND_CORS_ORIGINS') as string } },
      ]);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    }
    const known = [friend, `http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
    for (const origin of known) expect([origin, (await listTools({ origin })).status]).toEqual([origin, 200]);
    expect((await listTools({})).status).toBe(200);
    // Refused before the credential is looked at.
    expect((await listTools({ origin: stranger, authorization: 'Bearer x' })).status).toBe(403);
    expect((await preflight('/mcp', stranger)).status).toBe(403);
    const spelled = await fetch(`${api.http.url()}/%6dcp`, { method: 'POST', headers: { origin: stranger }, body: '{}' });
    expect(spelled.status).toBe(403);
  });

  it('are only ours where the public URL is not of this machine', async () => {
    const publicUrl = 'https://errand.example/base';
    await using there = await ApiUnderTest.start(store.database, { settings: { publicUrl } });
    const statusFor = async (origin: string) =>
      (await there.fetch('/mcp', { method: 'POST', body: '{}', headers: { origin, 'content-type': 'application/json' } })).status;
    expect(await statusFor('https://errand.example')).not.toBe(403);
    for (const origin of ['http://localhost:7070', `http://localhost:${there.port}`, friend])
      expect(await statusFor(origin)).toBe(403);
  });

  it('may use MCP from an allowed origin, with every header that its clients send', async () => {
    const answer = await preflight('/mcp', friend, `${asked}, mcp-method, Mcp-Name, mcp-param-id`);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(friend);
    expect(answer.headers.get('vary')).toContain('origin');
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'POST', 'DELETE']),
    );
    const allowed = answer.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining([...asked.split(', '), 'mcp-method', 'mcp-name', 'mcp-param-id']));
    const used = await listTools({ origin: friend });
    expect([used.status, used.headers.get('access-control-allow-origin')]).toEqual([200, friend]);
    const exposed = used.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['mcp-session-id', 'www-authenticate', 'retry-after']));

    const requestInit = { headers: { authorization: `Bearer ${api.owner.key}`, origin: friend } };
    const client = new Client({ name: 'page', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${api.http.url()}/mcp`), { requestInit }));
    expect((await client.listTools()).tools).not.toHaveLength(0);
    await client.close();
  });

  it.each(['/v2/task.create', '/v2/task.stream', '/v1/tasks', '/responses', '/files'])(
    'may call %s from an allowed origin alone, and never with a cookie or a key header',
    async (path) => {
      const headers = `${asked}, idempotency-key, x-stainless-os, x-service-api-key, cookie`;
      const answer = await preflight(path, friend, headers);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, friend]);
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
      const allowed = answer.headers.get('access-control-allow-headers')?.split(', ');
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'idempotency-key', 'x-stainless-os']));
      expect(allowed?.filter((name) => /cookie|key$/.test(name))).toEqual(['idempotency-key']);
      const refused = await preflight(path, stranger);
      expect([refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([405, false]);
    },
  );

  it('read responses, errors, and streams of the API from an allowed origin', async () => {
    const taskId = await api.createTask();
    const open = (path: string, origin: string, key: string | null = api.owner.key) =>
      api.fetch(path, {}, { key: null, headers: { origin, ...(key !== null && { authorization: `Bearer ${key}` }) } });
    for (const [path, key, status] of [
      ['/v2/task.list', api.owner.key, 200],
      ['/v2/task.list', null, 401],
      ['/v2/task.nothing', null, 404],
      [`/v2/task.stream?task_id=${taskId}`, api.owner.key, 200],
      ['/v1/tasks', api.owner.key, 200],
    ] as const) {
      const answer = await open(path, friend, key);
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([path, status, friend]);
      expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id');
      await answer.body?.cancel();
      const elsewhere = await open(path, stranger, key);
      expect([path, elsewhere.status, elsewhere.headers.has('access-control-allow-origin')]).toEqual([path, status, false]);
      await elsewhere.body?.cancel();
    }
    for (const path of ['/', '/sign-in', '/web/session.detail', '/healthz', '/metrics'])
      expect([path, (await open(path, friend)).headers.has('access-control-allow-origin')]).toEqual([path, false]);
  });

  it('may read what describes the service, and ask for tokens, from any origin', async () => {
    const documents = [
      '/openapi.json',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ];
    for (const path of documents) {
      for (const headers of [{}, { origin: stranger }]) {
        const answer = await api.fetch(path, {}, { key: null, headers });
        expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([path, 200, '*']);
      }
      const asking = await preflight(path, stranger, 'mcp-protocol-version', 'GET');
      expect([path, asking.status, asking.headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
      expect(asking.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
    }
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/device_authorization']) {
      const asking = await preflight(path, stranger, 'authorization');
      expect([path, asking.status, asking.headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
    }
    expect((await preflight('/oauth/authorize', stranger)).headers.has('access-control-allow-origin')).toBe(false);
  });
});
