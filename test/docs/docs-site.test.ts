import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { createFolder } from '../support/process/leftovers.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

let webFolder: string;
let files: Set<string>;

beforeAll(async () => {
  webFolder = createFolder('web');
  const folder = join(webFolder, 'docs');
  await promisify(execFile)(process.execPath, ['scripts/docs/build-docs.mjs', folder], { cwd: checkout });
  files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
});

const read = (name: string) => readFileSync(join(webFolder, 'docs', name), 'utf8');
const listPages = () => [...files].filter((name) => name.endsWith('.html') && name !== '404.html');

/** What a page refers to, as paths of the site with their fragments. */
function listTargets(page: string): { file: string; fragment: string | undefined; from: string }[] {
  return [...read(page).matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, target = '']) => {
    if (/^(https?:|mailto:)/.test(target)) return [];
    const [file = '', fragment] = target.replaceAll('&amp;', '&').split('#', 2);
    return { file: file === '' ? page : posix.join(posix.dirname(page), file), fragment, from: page };
  });
}

describe('the documentation as a site', () => {
  it('has every page of the documentation, in the sections of its sidebar', () => {
    const sources = readdirSync(join(checkout, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    const targets = sources.map((name) => name.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html'));
    expect(targets.filter((name) => !files.has(name))).toEqual([]);
    for (const name of ['architecture.html', 'security.html', 'contributing.html', 'changelog.html'])
      expect(files).toContain(name);
    const sections = [...read('index.html').matchAll(/<li><p>(\w+)<\/p>/g)].map(([, section]) => section);
    expect(sections).toEqual(['Start', 'Build', 'Operate', 'Reference', 'Internals']);
  });

  it('has no link, image, or anchor that leads nowhere', () => {
    const anchors = new Map(
      listPages().map((page) => [page, new Set([...read(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const broken = listPages()
      .flatMap(listTargets)
      .filter(({ file, fragment }) => !files.has(file) || (fragment !== undefined && anchors.get(file)?.has(fragment) === false));
    expect(broken).toEqual([]);
  });

  it('has no script, style, or handler in a page, and loads nothing from elsewhere', () => {
    for (const page of [...listPages(), '404.html']) {
      const html = read(page);
      const found = html.match(/<script(?![^>]* src=)|<style| style="| on\w+="|src="https?:|<link[^>]*https?:/g);
      expect([page, found]).toEqual([page, null]);
    }
  });

  it('is found part by part in an index of bounded size, whose addresses exist', () => {
    const index = JSON.parse(read('search.json')) as [
      address: string,
      page: string,
      heading: string,
      excerpt: string,
      words: string,
    ][];
    expect(index.length).toBeGreaterThan(500);
    expect(read('search.json').length).toBeLessThan(1_200_000);
    for (const [address] of index) expect(files).toContain(address.split('#')[0]);
    const words = index.find(([address]) => address === 'operate/accounts.html#owners')?.[4].split(' ');
    expect(words).toContain('instance');
  });
});

describeStores('the documentation at /docs', (store) => {
  it('is served to everybody, under a strict policy, in the smallest form that the browser takes', async () => {
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    const visit = (path: string, headers: Record<string, string> = {}) =>
      api.fetch(path, { redirect: 'manual' }, { key: null, headers });
    const page = await visit('/docs/operate/accounts.html', { 'accept-encoding': 'br' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-encoding')).toBe('br');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("font-src 'self'");
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).toContain('id="owners"');
    const [, font = ''] = /<link rel="preload" as="font" [^>]*href="\.\.\/([^"]*)"/.exec(html) ?? [];
    const typeface = await visit(`/docs/${font}`);
    expect([typeface.status, typeface.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    expect(typeface.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(read('docs.css')).toContain(`url("./${font}")`);
    const again = await visit('/docs/operate/accounts.html', {
      'accept-encoding': 'br',
      'if-none-match': page.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    expect((await visit('/docs/errors/not_found')).status).toBe(200);
    for (const [path, place] of [
      ['/docs', '/docs/'],
      ['/docs/errors', '/docs/errors/'],
    ] as const) {
      const moved = await visit(path);
      expect([moved.status, moved.headers.get('location')]).toEqual([308, place]);
      expect((await visit(place)).status).toBe(200);
    }
  });

  it('answers 404 with a page at every other address, also at those that try to leave the folder', async () => {
    await using api = await ApiUnderTest.start(store.database, { webFolder });
    for (const path of [
      '/docs/nothing',
      '/docs/a/b/c',
      '/docs/..%2f..%2fpackage.json',
      '/docs//example.com',
      '/docs/docs.css.br',
    ]) {
      const answer = await api.fetch(path, { redirect: 'manual' }, { key: null });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).toContain('Page not found');
    }
  });
});
