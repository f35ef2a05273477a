import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '@errand/base/log.ts';
import { type OpenStore, openStore } from '../support/db/databases.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { takeErrorPage } from '../support/http/error-page.ts';
import { someRequestId, someText } from '../support/http/matchers.ts';
import { ask, RawSocket } from '../support/http/raw-socket.ts';

const host = 'host: errand.test\r\n';
const json = 'content-type: application/json\r\n';

interface Edge {
  name: string;
  request(key: string): string | Buffer;
  status: number;
  words: string | RegExp;
  allow?: string;
}

const post = (key: string, headers: string, body: string) =>
  `POST /v2/task.stop HTTP/1.1\r\n${host}${key}${headers}content-length: ${body.length}\r\n\r\n${body}`;
const get = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\n${host}${headers}\r\n`;

const nowhere = 'Nothing exists at this URL.';
const noHttp = 'The request is not valid HTTP.';
const oneCredential = 'Send one credential: either an API key header or Authorization, not both.';
const oneType = 'content-type: must be application/json';
const tooLarge = 'The request body is too large.';
const keyForm = 'Idempotency-Key: must be 1 to 255 visible ASCII characters';

const edges: Edge[] = [
  { name: 'words', request: () => 'hello there\r\n\r\n', status: 400, words: noHttp },
  { name: 'TLS', request: () => Buffer.from([0x16, 3, 1, 0, 200, 1, 0, 0, 0xc4, 3, 3]), status: 400, words: noHttp },
  { name: 'an HTTP/2 preface', request: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400, words: noHttp },
  { name: 'an invented method', request: () => `FOO / HTTP/1.1\r\n${host}\r\n`, status: 400, words: noHttp },
  { name: 'NUL in a header', request: (key) => get('/v2/task.list', `${key}x: a\0b\r\n`), status: 400, words: noHttp },
  { name: 'bare line feeds', request: (key) => `GET /v2/task.list HTTP/1.1\n${host}${key}\r\n`, status: 400, words: noHttp },
  { name: 'a folded header', request: (key) => get('/v2/task.list', `${key}x: a\r\n b\r\n`), status: 400, words: noHttp },
  { name: 'a space before a colon', request: () => 'GET / HTTP/1.1\r\nhost : a\r\n\r\n', status: 400, words: noHttp },
  {
    name: 'length and chunks at once',
    request: (key) => post(key, `${json}transfer-encoding: chunked\r\n`, '{}'),
    status: 400,
    words: noHttp,
  },
  { name: 'two lengths', request: (key) => post(key, `${json}content-length: 3\r\n`, '{}'), status: 400, words: noHttp },
  {
    name: 'a chunk that is none',
    request: (key) => `POST /v2/task.stop HTTP/1.1\r\n${host}${key}${json}transfer-encoding: chunked\r\n\r\nzz\r\n`,
    status: 400,
    words: noHttp,
  },
  {
    name: 'headers without end',
    request: () => get('/healthz', `x: ${'a'.repeat(20_000)}\r\n`),
    status: 431,
    words: 'The request headers are too large.',
  },
  {
    name: 'an address without end',
    request: () => get(`/${'a'.repeat(20_000)}`, ''),
    status: 431,
    words: 'The request headers are too large.',
  },
  {
    name: 'no host',
    request: (key) => `GET /v2/task.list HTTP/1.1\r\n${key}\r\n`,
    status: 400,
    words: 'host: must be a host name',
  },
  {
    name: 'a host that is none',
    request: (key) => `GET /v2/task.list HTTP/1.1\r\nhost: a b/c\r\n${key}\r\n`,
    status: 400,
    words: 'host: must be a host name',
  },
  {
    name: 'two hosts',
    request: (key) => get('/v2/task.list', `${host}${key}`),
    status: 400,
    words: 'host: must be sent only once',
  },
  {
    name: 'the address of another server',
    request: (key) => get('http://evil.test/v2/task.list', key),
    status: 400,
    words: 'request target: must be a path',
  },
  { name: 'OPTIONS *', request: () => `OPTIONS * HTTP/1.1\r\n${host}\r\n`, status: 400, words: 'request target: must be a path' },
  {
    name: 'CONNECT',
    request: () => `CONNECT evil.test:443 HTTP/1.1\r\n${host}\r\n`,
    status: 405,
    words: 'This service is not a proxy.',
  },
  {
    name: 'an expectation',
    request: (key) => post(key, `${json}expect: tea\r\n`, '{}'),
    status: 417,
    words: 'expect: only 100-continue is supported',
  },
  { name: 'an unknown path', request: (key) => get('/v2/task.lists', key), status: 404, words: nowhere },
  { name: 'a path of the control face', request: (key) => get('/admin/key.list', key), status: 404, words: nowhere },
  { name: 'a path around a corner', request: (key) => get('/v2/../admin/key.list', key), status: 404, words: nowhere },
  { name: 'a slash too many', request: (key) => get('/v2/task.list/', key), status: 404, words: nowhere },
  { name: 'another case', request: (key) => get('/V2/task.list', key), status: 404, words: nowhere },
  {
    name: 'a body for nobody',
    request: () => `POST /nope HTTP/1.1\r\n${host}content-type: a/b\r\ncontent-length: 2\r\n\r\n{}`,
    status: 404,
    words: nowhere,
  },
  {
    name: 'a wrong method',
    request: (key) => `DELETE /v2/task.delete HTTP/1.1\r\n${host}${key}\r\n`,
    status: 405,
    words: 'This address takes POST, not DELETE.',
    allow: 'POST',
  },
  {
    name: 'GET where POST is meant',
    request: (key) => get('/v2/task.create', key),
    status: 405,
    words: 'This address takes POST, not GET.',
    allow: 'POST',
  },
  {
    name: 'OPTIONS',
    request: () => `OPTIONS /v2/task.list HTTP/1.1\r\n${host}\r\n`,
    status: 405,
    words: 'This address takes GET and HEAD, not OPTIONS.',
    allow: 'GET, HEAD',
  },
  {
    name: 'a broken escape in the path',
    request: (key) => get('/v2/task%zz', key),
    status: 400,
    words: 'The path is not valid percent-encoding.',
  },
  {
    name: 'a broken escape in the query',
    request: (key) => get('/v2/task.list?limit=%zz', key),
    status: 400,
    words: 'The query is not valid percent-encoding.',
  },
  {
    name: 'a parameter twice',
    request: (key) => get('/v2/task.list?limit=1&limit=1', key),
    status: 400,
    words: 'limit: must be given only once',
  },
  {
    name: 'no body',
    request: (key) => `POST /v2/task.stop HTTP/1.1\r\n${host}${key}\r\n`,
    status: 400,
    words: 'body is required',
  },
  { name: 'a body of nothing', request: (key) => post(key, json, ''), status: 400, words: 'body: must be valid JSON' },
  { name: 'a body of no type', request: (key) => post(key, '', '{}'), status: 400, words: oneType },
  { name: 'a body of text', request: (key) => post(key, 'content-type: text/plain\r\n', '{}'), status: 400, words: oneType },
  {
    name: 'a form',
    request: (key) => post(key, 'content-type: application/x-www-form-urlencoded\r\n', 'a=b'),
    status: 400,
    words: oneType,
  },
  { name: 'a type that is none', request: (key) => post(key, 'content-type: ///\r\n', '{}'), status: 400, words: oneType },
  {
    name: 'two types',
    request: (key) => post(key, `${json}content-type: text/plain\r\n`, '{}'),
    status: 400,
    words: 'content-type: must be sent only once',
  },
  {
    name: 'a compressed body',
    request: (key) => post(key, `${json}content-encoding: gzip\r\n`, '{}'),
    status: 400,
    words: 'content-encoding: is not supported',
  },
  {
    name: 'a body that is not UTF-8',
    request: (key) => Buffer.from(post(key, json, '{"a":"\xff"}'), 'latin1'),
    status: 400,
    words: 'body: must be UTF-8',
  },
  {
    name: 'a length of 100 MB',
    request: (key) => `POST /v2/task.stop HTTP/1.1\r\n${host}${key}${json}content-length: 104857600\r\n\r\n`,
    status: 413,
    words: tooLarge,
  },
  {
    name: 'chunks of more than 1 MB',
    request: (key) =>
      `POST /v2/task.stop HTTP/1.1\r\n${host}${key}${json}transfer-encoding: chunked\r\n\r\n200000\r\n${' '.repeat(0x20_0000)}\r\n`,
    status: 413,
    words: tooLarge,
  },
  {
    name: 'more than 32 MB where files may come',
    request: (key) => `POST /v2/task.create HTTP/1.1\r\n${host}${key}${json}content-length: 33554433\r\n\r\n`,
    status: 413,
    words: tooLarge,
  },
  {
    name: 'a large body without a credential',
    request: () => `POST /v2/task.create HTTP/1.1\r\n${host}${json}content-length: 33554433\r\n\r\n`,
    status: 401,
    words: 'missing authentication',
  },
  { name: 'no credential', request: () => get('/v2/task.list', ''), status: 401, words: 'missing authentication' },
  {
    name: 'an unknown key',
    request: () => get('/v2/task.list', 'x-service-api-key: sk-unknown\r\n'),
    status: 401,
    words: 'invalid API key',
  },
  { name: 'an empty key', request: () => get('/v2/task.list', 'x-service-api-key:\r\n'), status: 401, words: 'invalid API key' },
  {
    name: 'a key of another family',
    request: (key) => get('/v2/task.list', key.replace('service', 'other')),
    status: 401,
    words: 'missing authentication',
  },
  {
    name: 'the v1 header',
    request: (key) => get('/v2/task.list', key.replace('x-service-api-key', 'API_KEY')),
    status: 401,
    words: 'missing authentication',
  },
  {
    name: 'a bearer',
    request: () => get('/v2/task.list', 'authorization: Bearer abc\r\n'),
    status: 401,
    words: 'invalid token: this is not an access token of this service',
  },
  {
    name: 'an unknown API key as a bearer',
    request: () => get('/v2/task.list', 'authorization: Bearer sk-nobody\r\n'),
    status: 401,
    words: 'invalid API key',
  },
  {
    name: 'both credentials',
    request: (key) => get('/v2/task.list', `${key}authorization: Bearer abc\r\n`),
    status: 400,
    words: oneCredential,
  },
  {
    name: 'the same key in both headers',
    request: (key) => get('/v2/task.list', key + key.replace('x-service-api-key:', 'authorization: Bearer')),
    status: 400,
    words: oneCredential,
  },
  {
    name: 'keys of two families',
    request: (key) => get('/v2/task.list', `${key}x-manus-api-key: abc\r\n`),
    status: 400,
    words: oneCredential,
  },
  {
    name: 'the same key twice',
    request: (key) => get('/v2/task.list', `${key}${key}`),
    status: 400,
    words: 'x-service-api-key: must be sent only once',
  },
  {
    name: 'a space in the idempotency key',
    request: (key) => post(key, `${json}idempotency-key: a b\r\n`, '{}'),
    status: 400,
    words: keyForm,
  },
  {
    name: 'an empty idempotency key',
    request: (key) => post(key, `${json}idempotency-key:\r\n`, '{}'),
    status: 400,
    words: keyForm,
  },
  {
    name: 'a long idempotency key',
    request: (key) => post(key, `${json}idempotency-key: ${'a'.repeat(256)}\r\n`, '{}'),
    status: 400,
    words: keyForm,
  },
];

/** The field that a message is about, unless the parser refused the request before there were fields. */
function paramOf(words: string | RegExp): { param?: string } {
  const [, param] = /^(.+?)(?:: | is required)/.exec(String(words)) ?? [];
  const isField = param !== undefined && words !== oneCredential && !param.startsWith('invalid ');
  return isField ? { param } : {};
}

const codes: Record<number, string> = { 401: 'unauthenticated', 404: 'not_found', 413: 'payload_too_large' };

describe('the edge of the service', () => {
  let store: OpenStore;
  beforeAll(async () => {
    store = await openStore('sqlite');
  });
  afterAll(() => store.close());

  it('answers every rejected request in the envelope, with a unique id', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const ids = new Set<unknown>();
    for (const { name, request, status, words, allow } of edges) {
      const answer = await ask(api.port, request(`x-service-api-key: ${api.owner.key}\r\n`));
      expect([name, answer.status, takeErrorPage(answer.body)]).toEqual([
        name,
        status,
        {
          ok: false,
          request_id: someRequestId,
          error: {
            code: codes[status] ?? 'invalid_argument',
            message: typeof words === 'string' ? words : someText(words),
            ...paramOf(words),
          },
        },
      ]);
      expect([name, answer.headers.get('x-request-id'), answer.headers.get('allow')]).toEqual([
        name,
        answer.body?.request_id,
        allow,
      ]);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const isBearer = request('').toString('latin1').includes('authorization: Bearer');
      const place = `resource_metadata="http://localhost:${api.port}/.well-known/oauth-protected-resource"`;
      const challenge = isBearer ? `Bearer error="invalid_token", ${place}` : `Bearer ${place}`;
      expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? challenge : undefined);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      ids.add(answer.body?.request_id);
    }
    expect(ids.size).toBe(edges.length);
  });

  it('answers HEAD like GET, without a body', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const headers = `${host}x-service-api-key: ${api.owner.key}\r\n`;
    for (const [path, status] of [
      ['/v2/task.list', 200],
      ['/v2/task.detail', 400],
      ['/healthz', 200],
      ['/readyz', 200],
      ['/nope', 404],
      ['/v2/task.stream', 405],
    ] as const) {
      const answer = await ask(api.port, `HEAD ${path} HTTP/1.1\r\n${headers}\r\n`);
      expect([path, answer.status]).toEqual([path, status]);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
    }
  });

  it('accepts a body after 100 Continue, a charset, and HTTP/1.0 without a host', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const key = `x-service-api-key: ${api.owner.key}\r\n`;
    const raw = await RawSocket.open(api.port);
    raw.write(
      `POST /v2/task.stop HTTP/1.1\r\n${host}${key}content-type: Application/JSON; Charset="UTF-8"\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`,
    );
    expect((await raw.read()).status).toBe(100);
    raw.write('{}');
    expect((await raw.read()).body?.error).toMatchObject({
      code: 'invalid_argument',
      message: 'task_id is required',
      param: 'task_id',
    });
    raw.end();
    expect((await ask(api.port, `GET /v2/task.list HTTP/1.0\r\n${key}\r\n`)).status).toBe(200);
  });

  it('informs a caller that is still sending a body of 50 MB that it is too large', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const body = Buffer.alloc(50_000_000, 'a');
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    expect((await api.fetch('/v2/task.stop', init)).status).toBe(413);
    expect((await api.fetch('/v2/task.create', init)).status).toBe(413);
    expect((await api.fetch('/v2/task.create', init, { key: null })).status).toBe(401);
  });

  it('never sends the response to invalid bytes before one in progress', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const raw = await RawSocket.open(api.port);
    raw.write(`GET /v2/task.list HTTP/1.1\r\n${host}x-service-api-key: ${api.owner.key}\r\n\r\ngarbage\r\n\r\n`);
    const received = await raw.readAll();
    expect(received).not.toContain('not valid HTTP');
  });

  it('disconnects callers that send nothing, half a header or half a body', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const beginnings = [
      '',
      `POST /v2/task.stop HTTP/1.1\r\n${host}`,
      post(`x-service-api-key: ${api.owner.key}\r\n`, json, '{}').slice(0, -1),
    ];
    const sockets = await Promise.all(
      beginnings.map(async (text) => {
        const raw = await RawSocket.open(api.port);
        raw.write(text);
        return raw;
      }),
    );
    for (const raw of sockets) expect(await raw.readAll()).toMatch(/^HTTP\/1\.1 408 .*"The request did not arrive in time\."/s);
  });

  it('writes one log line per request, with neither query nor credential in it', async () => {
    const output = new PassThrough();
    await using api = await ApiUnderTest.start(store.database, { log: createLog('info', output) });
    await api.call('task.list', { limit: 7 });
    await api.call('task.list', {}, { headers: { authorization: 'Bearer canary' } });
    await ask(api.port, 'canary\r\n\r\n');
    await api.stop();
    const text = String(output.read());
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ method, path, status, account_id: account }) => [method, path, status, account])).toEqual([
      ['GET', '/v2/task.list', 200, api.owner.accountId],
      ['GET', '/v2/task.list', 400, null],
      [undefined, undefined, 400, undefined],
    ]);
    expect(lines.every(({ request_id: id }) => String(id).startsWith('req_'))).toBe(true);
    expect(text).not.toMatch(/canary|sk-|limit/);
  });
});
