import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import { type MarkupNode, renderMarkup } from './markup-text.ts';

const render = (html: string, url?: string) => {
  const { document } = parseHTML(`<html><body>${html}</body></html>`) as unknown as { document: { documentElement: MarkupNode } };
  return renderMarkup(document.documentElement, url);
};

it.each([
  ['graz.html', '[Town](https://example.com/towns/graz.html)'],
  ['../top', '[Town](https://example.com/top)'],
  ['//cdn.example.org/a', '[Town](https://cdn.example.org/a)'],
  ['http://other.example/', '[Town](http://other.example/)'],
  ['#part', 'Town'],
  ['', 'Town'],
  ['javascript:alert(1)', 'Town'],
  ['mailto:a@b.c', 'Town'],
  ['http://[', 'Town'],
])('a link to %s of a page is %s', (href, text) => {
  expect(render(`<p><a href="${href}">Town</a></p>`, 'https://example.com/towns/')).toBe(text);
});

it('what has no address is no link', () => {
  expect(render('<p><a name="part">Town</a></p>', 'https://example.com/towns/')).toBe('Town');
});

it('a document without an address has only the links that are whole', () => {
  const links = '<a href="/a">A</a> <a href="https://example.com/b">B</a>';
  expect(render(`<table><tr><td>${links}</td></tr></table><pre>a  b</pre>`)).toBe(
    '| A [B](https://example.com/b) |\n\n```\na  b\n```',
  );
});

it.each([
  ['<tr><td>Graz<td>7<tr><th>Others<th>', '| Town | Bikes |\n| --- | --- |\n| Graz | 7 |\n| Others |  |'],
  ['<tr><th>of<th>each</tr></thead><tr><td>Graz<td>7', '| Town | Bikes |\n| --- | --- |\n| of | each |\n| Graz | 7 |'],
])('only the first row of a table is its head: %s', (rows, text) => {
  expect(render(`<table><tr><th>Town<th>Bikes${rows}</table>`)).toBe(text);
});
