import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContentAddresses, fileAddressTtlMs } from '../../src/rules/files/content-url.ts';
import { describeStores } from '../support/db/databases.ts';
import { idlePdfConversion } from '../support/artifacts/idle-pdf-converter.ts';
import { inPieces } from '../support/files/blob-store-contract.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';

const text = 'All that glitters is not gold.';

describeStores('the content origin', (store) => {
  let api: ApiUnderTest;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'errand-prints-'));
    api = await ApiUnderTest.start(store.database, {
      pdfConversion: {
        async convert(order) {
          if (order.ending === 'doc') return idlePdfConversion.convert(order);
          const path = join(folder, order.blobId);
          const pages = `pages of ${text} as ${order.ending}`;
          await writeFile(path, pages);
          return { path, bytes: pages.length };
        },
      },
    });
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true });
  });

  const signer = (now = Date.now()) =>
    createContentAddresses({ key: () => api.contentKey, now: () => now, baseUrl: () => api.http.contentUrl() });
  const put = async (filename = 'proverb.txt', contentType = 'text/plain') => {
    const { accountId } = api.owner;
    const { blobId, bytes } = await api.blobs.put(accountId, inPieces(Buffer.from(text)), { maxBytes: 100 });
    return { accountId, blobId, bytes, filename, contentType };
  };

  it('serves a file to anyone with its URL, with headers that keep it harmless', async () => {
    const response = await fetch(signer().file(await put()));
    expect([response.status, await response.text()]).toEqual([200, text]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(text.length),
      'content-disposition': expect.stringMatching(/^inline; /) as string,
      'content-security-policy': expect.stringMatching(/^sandbox;/) as string,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600, immutable',
      'access-control-allow-origin': '*',
      'referrer-policy': 'no-referrer',
    });
    expect(response.headers.has('set-cookie')).toBe(false);
    const saved = await fetch(`${response.url}&download=true`);
    expect([saved.status, saved.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="proverb.txt"; filename*=UTF-8''proverb.txt`,
    ]);
  });

  it('serves dangerous types as downloads only, whatever their name', async () => {
    const name = '<script>alert(1)<\u2044script> "x" % \u{1F600}.html';
    const response = await fetch(signer().file(await put(name, 'text/html')));
    expect(response.status).toBe(200);
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; /);
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(name);
  });

  it.each([
    ['text/html', '<script>fetch("/")</script>'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['application/pdf', '%PDF-1.7 /JavaScript'],
    ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['text/xml', '<?xml-stylesheet href="x.xsl"?>'],
    ['image/gif', 'GIF89a/*<script>*/=1'],
    ['text/plain', '<script>alert(1)</script>'],
    ['multipart/x-mixed-replace', '--x'],
    ['text/html\r\nset-cookie: a=b', 'x'],
  ])('lets bytes of type %j act in nobody’s name', async (contentType, body) => {
    const { accountId } = api.owner;
    const { blobId, bytes } = await api.blobs.put(accountId, inPieces(Buffer.from(body)), { maxBytes: 1000 });
    const response = await fetch(signer().file({ accountId, blobId, bytes, filename: 'x', contentType }));
    const { headers } = response;
    expect(await response.text()).toBe(body);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect([headers.get('x-content-type-options'), headers.has('set-cookie')]).toEqual(['nosniff', false]);
    const isShown = ['image/gif', 'text/plain'].includes(contentType);
    expect(headers.get('content-disposition')).toMatch(isShown ? /^inline/ : /^attachment/);
  });

  it('has preview frames for untrusted pages: with an opaque origin and without a network', async () => {
    for (const [path, scripts] of [
      ['/room', /script-src 'sha256-[^']+';/],
      ['/room/live', /script-src 'unsafe-inline';/],
    ] as const) {
      const { status, headers } = await fetch(new URL(path, api.http.contentUrl()));
      const policy = headers.get('content-security-policy') ?? '';
      expect([status, headers.has('set-cookie')]).toEqual([200, false]);
      expect(policy).toMatch(/^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; /);
      expect(policy).toMatch(scripts);
      expect(policy).not.toMatch(/allow-same-origin|allow-top|https?:|connect-src|\*/);
    }
  });

  it('returns an office file as PDF under its own URL, and explains why if it cannot', async () => {
    const deck = await put('deck.pptx', 'application/octet-stream');
    const address = `${signer().file(deck)}&as=pdf`;
    const shown = await fetch(address);
    expect([shown.status, await shown.text()]).toEqual([200, `pages of ${text} as pptx`]);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="deck.pptx.pdf"; filename*=UTF-8''deck.pptx.pdf`,
      'content-security-policy': expect.stringMatching(/^sandbox;/) as string,
    });
    expect((await fetch(address, { method: 'HEAD' })).headers.get('content-length')).toBe(String(text.length + 17));
    const ask = async (file: string) => (await fetch(file)).status;
    expect(await ask(`${signer().file(await put('a.txt'))}&as=pdf`)).toBe(400);
    expect(await ask(`${signer().file(deck)}&as=png`)).toBe(400);
    expect(await ask(address.replace('deck.pptx', 'other.pptx'))).toBe(403);
    expect(await ask(`${signer().file(await put('locked.doc', ''))}&as=pdf`)).toBe(412);
    await store.query('UPDATE blobs SET sweep_at = 1 WHERE id = ?', deck.blobId);
    expect(await ask(address)).toBe(404);
  });

  it('answers HEAD, ranges and conditions', async () => {
    const url = signer().file(await put());
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(text.length), '']);
    const part = await fetch(url, { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-7/${text.length}`,
      text.slice(4, 8),
    ]);
    const behind = await fetch(url, { headers: { range: 'bytes=30-' } });
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, `bytes */${text.length}`]);
    expect(await behind.json()).toMatchObject({ ok: false, error: { code: 'invalid_argument' } });
    const etag = head.headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const fresh = await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': etag } });
    const stale = await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } });
    expect([fresh.status, stale.status]).toEqual([206, 200]);
  });

  it('rejects a URL that was changed, is for another file, or has expired', async () => {
    const [file, other] = [await put(), await put('other.txt')];
    const url = new URL(signer().file(file));
    const token = url.searchParams.get('token') ?? '';
    const otherToken = new URL(signer().file(other)).searchParams.get('token') ?? '';
    const wrong = [
      `${url.origin}${url.pathname}?token=${otherToken}`,
      `${url.origin}${url.pathname}?token=${token.slice(0, -2)}AA`,
      `${url.origin}${url.pathname}`,
      `${url.origin}/files/renamed.html?token=${token}`,
      signer(Date.now() - fileAddressTtlMs - 1000).file(file),
    ];
    for (const address of wrong) {
      const response = await fetch(address);
      expect(response.status, address).toBe(403);
      expect(await response.json()).toMatchObject({ ok: false, error: { code: 'permission_denied' } });
    }
    expect((await fetch(signer(Date.now() - fileAddressTtlMs + 60_000).file(file))).status).toBe(200);
  });

  it('returns nothing that has no references any more, even before its bytes are swept', async () => {
    const file = await put();
    await store.query('UPDATE blobs SET sweep_at = 1 WHERE id = ?', file.blobId);
    expect(api.blobStore.kept.size).toBeGreaterThan(0);
    for (const method of ['GET', 'HEAD']) expect((await fetch(signer().file(file), { method })).status).toBe(404);
    await store.query("INSERT INTO blob_refs (account_id, blob_id, owner) VALUES (?, ?, 'task:1')", file.accountId, file.blobId);
    expect((await fetch(signer().file(file))).status).toBe(200);
  });

  it('reports a deleted file, and shares no routes with the API', async () => {
    const file = await put();
    api.blobStore.kept.clear();
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(signer().file(file), { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    const content = api.http.contentUrl();
    for (const path of ['/', '/healthz', '/v2/task.list', '/files/', '/files/x/../../etc/passwd']) {
      expect([404, 403]).toContain((await fetch(content + path)).status);
    }
    // There the address is one of the first version, which asks for a key.
    expect((await api.fetch(`/files/proverb.txt${new URL(signer().file(file)).search}`)).status).toBe(401);
    expect((await fetch(signer().file(file), { method: 'DELETE' })).status).toBe(404);
  });

  it('is named in the ready line’s way: one address with the real port', () => {
    expect(new URL(api.http.contentUrl()).port).not.toBe('0');
    expect(api.http.contentUrl()).not.toBe(api.http.url());
  });
});
