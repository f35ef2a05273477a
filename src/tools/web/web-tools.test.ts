import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { type Workspace } from '@errand/sandbox/workspace';
import { createDocumentReader } from '../files/readers/document-reader.ts';
import type { ToolContext } from '../toolbox/tool.ts';
import { createFetchUrl } from './fetch-url.ts';
import { createSearchEngine, type SearchSettings } from './search-engine.ts';
import { createSearchWeb } from './search-web.ts';

const clock = systemClock;
const httpClient = createSafeFetch({ allow: ['127.0.0.1/32'], clock });
const fetchUrl = createFetchUrl({ httpClient, documents: createDocumentReader(clock) });

let server: Server;
let base: string;
let workspace: Workspace;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

useWorkspace('web', (opened) => {
  workspace = opened;
});

function serve(contentType: string, body: Buffer | string, head: Record<string, string> = {}, status = 200): void {
  answer = (_, response) =>
    response.writeHead(status, { ...(contentType && { 'content-type': contentType }), ...head }).end(body);
}

function fetchIt(input: Record<string, unknown> = {}, changes: Partial<ToolContext> = {}) {
  return fetchUrl.run(fetchUrl.input.parse({ url: `${base}/page`, ...input }), toolContext(workspace, changes));
}

describe('fetch_url', () => {
  it('shows a page as markdown, in whatever encoding it comes', async () => {
    const html = `<html><head><title>News</title></head><body><nav>Menu</nav><article><h1>News</h1><p>${'Größe. '.repeat(80)}</p></article></body></html>`;
    serve('text/html; charset=iso-8859-1', Buffer.from(html, 'latin1'));
    const { status, output } = await fetchIt();
    expect(status).toBe('success');
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/page \(web page\):\n\n/);
    expect(output).toContain('# News');
    expect(output).toContain('Größe.');
    expect(output).not.toContain('Menu');
  });

  it.each([
    ['application/json', '{"a": [1, 2]}'],
    ['text/plain; charset=utf-8', 'Grüße\n'],
    ['text/csv', 'a,b\n1,2\n'],
    ['', 'no type at all'],
  ])('shows %s as it is', async (contentType, text) => {
    serve(contentType, text);
    expect((await fetchIt()).output).toBe(`${base}/page (${contentType || 'text'}):\n\n${text}`);
  });

  it('saves what is no text, under a name that is safe, and what save_as asks for', async () => {
    const bytes = gzipSync('x'.repeat(100));
    serve('application/gzip', bytes, { 'content-disposition': 'attachment; filename="../../etc/pass wd.gz"' });
    expect((await fetchIt()).output).toBe(
      `${base}/page: application/gzip, ${bytes.length} bytes, saved as downloads/pass-wd.gz.`,
    );
    expect((await fetchIt()).output).toContain('downloads/pass-wd-2.gz');
    serve('text/html', '<p>x</p>');
    expect((await fetchIt({ save_as: 'a/page.html' })).output).toContain('saved as a/page.html');
    expect((await workspace.read('a/page.html')).toString()).toBe('<p>x</p>');
    expect(await workspace.read('downloads/pass-wd-2.gz')).toEqual(bytes);
    await expect(fetchIt({ save_as: '../out' })).rejects.toThrow('leads out');
  });

  it('follows redirects and reports the final URL, and reports the status of an error with its text', async () => {
    answer = (request, response) =>
      request.url === '/page'
        ? response.writeHead(302, { location: '/there' }).end()
        : response.writeHead(404, { 'content-type': 'text/plain' }).end('gone');
    const { status, output } = await fetchIt();
    expect(status).toBe('error');
    expect(output).toBe(`${base}/there (from ${base}/page), status 404 (text/plain):\n\ngone`);
  });

  it('reads no more than ten megabytes, and says so', async () => {
    serve('text/plain', 'line\n'.repeat(3_000_000));
    const { output } = await fetchIt();
    expect(output).toMatch(/\[Only the first 10485760 bytes were read\.\]$/);
    serve('application/zip', Buffer.alloc(11_000_000));
    expect(await fetchIt()).toMatchObject({ status: 'error', output: expect.stringContaining('larger than') as string });
  });

  it('reaches nothing that is not public, by no form of address', async () => {
    const strict = createFetchUrl({ httpClient: createSafeFetch({ allow: [], clock }), documents: createDocumentReader(clock) });
    serve('text/plain', 'secret');
    const { port } = new URL(base);
    const urls = [
      base,
      `http://localhost:${port}/`,
      `http://2130706433:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'gopher://x/',
      `http://user@127.0.0.1:${port}/`,
    ];
    for (const url of urls) {
      await expect(strict.run(strict.input.parse({ url }), toolContext(workspace)), url).rejects.toThrow(/^url: /);
    }
    await expect(strict.run(strict.input.parse({ url: base }), toolContext(workspace))).rejects.toThrow(
      /is not public\. Nothing in this task reaches it; .*\(ERRAND_OUTBOUND_ALLOW\)\./,
    );
  });

  it('asks before it reaches anything whether the task may', async () => {
    const egressGuard = { ...toolContext(workspace).egressGuard, refuseAddress: (url: string) => `not ${url}` };
    answer = () => expect.unreachable('it was reached');
    await expect(fetchIt({}, { egressGuard })).rejects.toThrow(`not ${base}/page`);
  });

  it('of one account is not kept waiting by any number of another', async () => {
    const held: ServerResponse[] = [];
    const floods = Promise.withResolvers<void>();
    answer = ({ url }, response) => {
      if (url !== '/hold') response.end('at once');
      else if (held.push(response) === 8) floods.resolve();
    };
    const hold = { url: `${base}/hold` };
    const flood = Array.from({ length: 40 }, () => fetchIt(hold, { accountId: 'greedy' }));
    await floods.promise;
    expect((await fetchIt({}, { accountId: 'modest' })).output).toContain('at once');
    expect(held).toHaveLength(8);
    answer = (_, response) => response.end('late');
    for (const response of held) response.end('late');
    await Promise.all(flood);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    answer = () => stop.abort(new Error('stopped'));
    await expect(fetchIt({}, { signal: stop.signal })).rejects.toThrow('stopped');
  });
});

describe('search_web', () => {
  const hits = (excerpt: string) => [
    { title: 'One <strong>hit</strong>', url: 'https://example.com/1', [excerpt]: 'About\n  it.' },
    { title: 'bad', url: 'javascript:alert(1)', [excerpt]: '' },
    { title: '', url: 'https://example.com/2' },
    null,
  ];

  interface Wire {
    kind: SearchSettings['kind'];
    asks: (request: IncomingMessage, body: string) => unknown;
    wanted: unknown;
    answers: unknown;
  }

  const wires: Wire[] = [
    {
      kind: 'searxng',
      asks: ({ method, url }) => [method, url],
      wanted: ['GET', '/search?q=what+is+%C3%A4%3F&format=json'],
      answers: { query: 'x', results: hits('content') },
    },
    {
      kind: 'brave',
      asks: ({ method, url, headers }) => [method, url, headers['x-subscription-token']],
      wanted: ['GET', '/res/v1/web/search?q=what+is+%C3%A4%3F&count=3', 'the-key'],
      answers: { web: { results: hits('description') } },
    },
    {
      kind: 'tavily',
      asks: ({ method, url, headers }, body) => [method, url, headers.authorization, JSON.parse(body) as unknown],
      wanted: ['POST', '/search', 'Bearer the-key', { query: 'what is ä?', max_results: 3 }],
      answers: { results: hits('content') },
    },
  ];

  const search = (kind: SearchSettings['kind']) => {
    const tool = createSearchWeb(createSearchEngine({ kind, url: base, apiKey: 'the-key' }, httpClient));
    return tool.run(tool.input.parse({ query: 'what is ä?', count: 3 }), toolContext(workspace));
  };

  it.each(wires)('asks $kind in its own way and shows what it found', async ({ kind, asks, wanted, answers }) => {
    let asked: unknown;
    answer = (request, response) => {
      let body = '';
      request
        .on('data', (chunk: Buffer) => (body += chunk.toString()))
        .on('end', () => {
          asked = asks(request, body);
          response.end(JSON.stringify(answers));
        });
    };
    const { output } = await search(kind);
    expect(asked).toEqual(wanted);
    expect(output).toBe('1. One hit\n   https://example.com/1\n   About it.\n2. https://example.com/2\n   https://example.com/2');
  });

  it.each([
    [429, '{}', 'too many questions'],
    [401, 'the-key is wrong', 'refuses to answer (status 401)'],
    [200, 'no json', 'cannot be read'],
    [200, '[1]', 'Nothing was found'],
    [200, '{"results":{"a":1}}', 'Nothing was found'],
  ])('makes of the answer %i %s a sentence, without what the engine said', async (status, body, text) => {
    serve('application/json', body, {}, status);
    const said = await search('tavily').then(
      ({ output }) => output,
      (error: unknown) => (error as Error).message,
    );
    expect(said).toContain(text);
    expect(said).not.toContain('the-key');
  });
});
