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
