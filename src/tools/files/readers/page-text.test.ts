import { expect, it } from 'vitest';
import { readPage } from './page-text.ts';

/** What is no content of a page; a page of it alone is read as a whole. */
const menu = (entries: string) => `<nav>${entries}</nav>`;

const read = async (html: string, url?: string) => (await readPage(Buffer.from(html), url)).text;

it('the addresses of an unending list of links are no longer than half of the longest text', async () => {
  const url = `https://example.com/${'a'.repeat(1_900)}/`;
  const text = await read(`<html><body>${menu(`${'<a href=b>x</a> '.repeat(3_000)}<a href=b>last</a>`)}</body></html>`, url);
  expect(text).toContain(`[x](${url}b) [x](`);
  expect(text).toMatch(/\) x( x)+ last$/);
  expect(text.length).toBeLessThan(2_100_000);
});

it.each([
  ['<base href="https://other.example/x/">', 'https://other.example/x/y.html'],
  ['<base><base href="/top/"><base href="/second/">', 'https://example.com/top/y.html'],
  ['<base href="y/">', 'https://example.com/a/y/y.html'],
  ['<base href="javascript:1">', 'https://example.com/a/y.html'],
])('links are meant from where the page says, in a menu and in an article: %s', async (base, address) => {
  const url = 'https://example.com/a/';
  const link = '<a href="y.html">Graz</a>';
  const words = '<p>The town lies on a river and has many bridges.</p>'.repeat(20);
  for (const body of [menu(link), `<article><h1>Towns</h1>${words}<p>See ${link}.</p></article>`]) {
    expect(await read(`<html><head>${base}</head><body>${body}</body></html>`, url)).toContain(`[Graz](${address})`);
  }
});

it('the title of a drawing is not that of the page', async () => {
  const drawing = '<svg><title>Drawing</title></svg>';
  expect(await read(`<html><body>${menu(`${drawing}<ul><li>Graz</ul>`)}</body></html>`)).toBe('- Graz');
});

it('a page that closes no head and opens no body has all its content, also where only its links are read', async () => {
  const links = Array.from({ length: 40 }, (_, index) => `<li><a href="https://example.com/${index}">Entry ${index}</a>`);
  const text = await read(`<html><head><title>Towns</title><meta name=author content=Ada>${menu(`<ul>${links.join('')}</ul>`)}`);
  expect(text.split('\n')).toEqual([
    '# Towns',
    '',
    'By Ada',
    '',
    ...links.map((_, at) => `- [Entry ${at}](https://example.com/${at})`),
  ]);
});
