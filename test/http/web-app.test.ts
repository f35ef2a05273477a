import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { ask } from '../support/http/raw-socket.ts';

const signedInPages = [
  '/',
  '/app/AAAAAAAAAAAAAAAAAAAAAA',
  '/library',
  '/agent',
  '/projects/x',
  '/connectors',
  '/skills',
  '/inbox',
  '/schedules',
  '/schedules/x',
  '/triggers',
  '/triggers/x',
  '/recipes',
  '/memory',
  '/usage',
  '/developers/webhooks/x',
  '/developers/reference/get.v1.tasks.task_id',
];

/** A folder as the build leaves it, with a secret beside it. */
async function buildFolder(): Promise<{ folder: string; script: string }> {
  const root = createFolder('web');
  const folder = join(root, 'dist');
  await mkdir(join(folder, 'assets'), { recursive: true });
  const script = 'export const word = "hello";\n'.repeat(100);
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'index.html'), '<!doctype html><div id="root"></div>');
  await writeFile(join(folder, 'service-worker.js'), 'onpush = null;');
  await writeFile(join(folder, 'assets/index-a1b2.js'), script);
  await writeFile(join(folder, 'assets/index-a1b2.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'assets/index-a1b2.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'assets/icon-c3.svg'), '<svg/>');
  return { folder, script };
}

describeStores('the web application', (store) => {
  it('is one page at all of its URLs for signed-in users, and asks others to sign in', async () => {
    const { folder: webFolder } = await buildFolder();
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    const { headers } = await addSession(store.database, api.owner.accountId);
    const visit = (path: string, cookie?: string, more: Record<string, string> = {}) =>
      api.fetch(path, { redirect: 'manual' }, { key: null, headers: { ...(cookie && { cookie }), ...more } });
    for (const path of signedInPages) {
      const page = await visit(`${path}?q=1`, headers.cookie);
      expect([path, page.status, await page.text()]).toEqual([path, 200, '<!doctype html><div id="root"></div>']);
      for (const cookie of [undefined, `${headers.cookie}x`]) {
        const asked = await visit(`${path}?q=1`, cookie);
        const next = new URL(asked.headers.get('location') ?? '', api.http.url());
        expect([asked.status, next.pathname, next.searchParams.get('next')]).toEqual([303, '/sign-in', `${path}?q=1`]);
      }
    }
    expect((await visit('/elsewhere', headers.cookie)).status).toBe(404);
    const first = await visit('/', headers.cookie);
    const known = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await visit('/', headers.cookie, known)).status).toBe(304);
    expect((await visit('/', undefined, known)).status).toBe(303);
  });

  it('has a page for people who come to one that does not exist, while programs get an envelope', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const visit = async (path: string, accept: string, method = 'GET') => {
      const answer = await api.fetch(path, { method }, { key: null, headers: { accept, 'accept-language': 'en' } });
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    };
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const page = await visit('/elsewhere', browser);
    expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Page not found');
    for (const [path, accept, method] of [
      ['/elsewhere', '*/*', 'GET'],
      ['/v2/elsewhere', browser, 'GET'],
      ['/v1', browser, 'GET'],
      ['/elsewhere', browser, 'POST'],
    ] as const) {
      const answer = await visit(path, accept, method);
      expect([path, answer.status, answer.type]).toEqual([path, 404, 'application/json; charset=utf-8']);
    }
  });

  it('reveals the title of public shares, and only that, to link previews', async () => {
    const { folder: webFolder } = await buildFolder();
    await writeFile(join(webFolder, 'index.html'), '<!doctype html><title>Errand</title><div id="root"></div>');
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    const title = `"><script>alert(1)</script> & $& 'x'`;
    const create = async (visibility: string) => {
      const { body } = await api.call('task.create', { message: { content: 'x' }, title, share_visibility: visibility });
      return new URL(String(body.share_url)).pathname;
    };
    const read = async (path: string) => (await api.fetch(path, {}, { key: null })).text();
    const [open, team] = [await create('public'), await create('team')];
    const page = await read(open);
    const name = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; &#39;x&#39; · Errand';
    expect(page).toContain(`<title>${name}</title>`);
    expect(page).toContain(`<meta property="og:title" content="${name}" />`);
    expect(page).toMatch(/<meta property="og:description" content="A task that was shared: &quot;&gt;&lt;script&gt;/);
    expect(page).not.toContain('<script>alert');
    const plain = await read('/share/AAAAAAAAAAAAAAAAAAAAAA');
    for (const path of [team, '/share/x', '/share/%00']) expect([path, await read(path)]).toEqual([path, plain]);
    expect(plain).toContain('<title>Errand</title>');
  });

  it('answers at the URL of a share while it is shared, and 404 with the same page before and after', async () => {
    const { folder: webFolder } = await buildFolder();
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    const taskId = await api.createTask();
    const share = async (share_visibility: string): Promise<string> => {
      const { share_url: url } = (await api.call('task.update', { task_id: taskId, share_visibility })).body;
      return typeof url === 'string' ? new URL(url).pathname : '';
    };
    const visit = async (path: string, headers: Record<string, string> = {}) => {
      const page = await api.fetch(path, {}, { key: null, headers });
      expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(await page.text()).toBe(page.status === 304 ? '' : '<!doctype html><div id="root"></div>');
      return { status: page.status, etag: page.headers.get('etag') ?? '' };
    };
    const first = await share('public');
    const { status, etag } = await visit(first);
    expect([status, (await visit(first, { 'if-none-match': etag })).status]).toEqual([200, 304]);
    await share('private');
    expect((await visit(first, { 'if-none-match': etag })).status).toBe(404);
    const second = await share('team');
    const stranger = await addSession(store.database, (await addOwner(store.database)).accountId);
    // Whoever is not signed in may be of the team.
    expect((await visit(second)).status).toBe(200);
    expect((await visit(second, { cookie: stranger.headers.cookie })).status).toBe(404);
    for (const path of [first, '/share/x', '/share/AAAAAAAAAAAAAAAAAAAAAA']) expect((await visit(path)).status).toBe(404);
  });

  it('may load only its own files and the content origin, and cannot be framed', async () => {
    const { folder: webFolder } = await buildFolder();
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    const { headers } = await api.fetch('/share/x', {}, { key: null });
    const policy = headers.get('content-security-policy') ?? '';
    const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0] ?? '', rule.split(' ').slice(1)]));
    expect(rules.get('default-src')).toEqual(["'none'"]);
    expect(rules.get('script-src')).toEqual(["'self'"]);
    expect(rules.get('style-src')).toEqual(["'self'"]);
    expect(rules.get('frame-ancestors')).toEqual(["'none'"]);
    const { host } = new URL(api.http.contentUrl());
    expect(rules.get('frame-src')).toEqual([api.http.contentUrl(), `http://*.${host}`]);
    expect(rules.get('require-trusted-types-for')).toEqual(["'script'"]);
    expect(rules.get('trusted-types')).toEqual(['errand-workers', 'errand-service-worker', 'default']);
    expect(policy.replace(`http://*.${host}`, '')).not.toMatch(/unsafe|\*|allow-duplicates/);
    expect(Object.fromEntries(headers)).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('has a service worker that browsers ask for anew, and that asks nobody but the service', async () => {
    const { folder: webFolder } = await buildFolder();
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    const { status, headers } = await api.fetch('/service-worker.js', {}, { key: null });
    expect([status, headers.get('cache-control'), headers.get('content-type')]).toEqual([
      ...[200, 'no-cache', 'text/javascript; charset=utf-8'],
    ]);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
    const again = await api.fetch(
      '/service-worker.js',
      { headers: { 'if-none-match': headers.get('etag') ?? '' } },
      { key: null },
    );
    expect(again.status).toBe(304);
  });

  it('has only files that browsers cache permanently, in the smallest encoding they accept', async () => {
    const { folder: webFolder, script } = await buildFolder();
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    const get = (path: string, extra = '') => ask(api.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n${extra}\r\n`);
    const file = '/assets/index-a1b2.js';
    for (const [accepted, coding] of [
      ['accept-encoding: gzip, deflate, br\r\n', 'br'],
      ['accept-encoding: gzip;q=0.5, br;q=0\r\n', 'gzip'],
      ['accept-encoding: zstd\r\n', undefined],
      ['', undefined],
    ] as const) {
      const answer = await get(file, accepted);
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, coding]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = answer.headers.get('etag') ?? '';
      const known = await ask(api.port, `HEAD ${file} HTTP/1.1\r\nHost: x\r\n${accepted}if-none-match: ${etag}\r\n\r\n`);
      expect(known.status).toBe(304);
    }
    const packed = await api.fetch('/assets/index-a1b2.js', { headers: { 'accept-encoding': 'br' } }, { key: null });
    expect([packed.headers.get('content-type'), await packed.text()]).toEqual(['text/javascript; charset=utf-8', script]);
    const head = await api.fetch('/assets/icon-c3.svg', { method: 'HEAD' }, { key: null });
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-type')]).toEqual([
      200,
      '6',
      'image/svg+xml',
    ]);
    for (const path of [
      '/assets/',
      '/assets/..',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/assets//etc/passwd',
      '/assets/index-a1b2.js%00',
      '/assets/index-a1b2.js.br',
      '/assets/__proto__',
      '/index.html',
    ]) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).not.toContain('secret');
    }
  });

  it('explains how to build it if it was not built', async () => {
    await using api = await ApiUnderTest.start(store.database, { webFolder: '/nowhere' });
    const page = await api.fetch('/share/x', {}, { key: null });
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('npm run build');
    expect((await api.fetch('/assets/index.js', {}, { key: null })).status).toBe(503);
  });
});
