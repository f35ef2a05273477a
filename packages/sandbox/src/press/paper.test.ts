import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { bindNumbers } from './paper.ts';

/** The text of a page after its numbers were bound, with `~` for each space at which no line ends. */
function bind(text: string, place: string | null = null): string {
  const node = { data: text, parentElement: { closest: () => place } };
  const nodes = [node];
  const document = { body: {}, createTreeWalker: () => ({ nextNode: () => nodes.pop() ?? null }) };
  runInNewContext(bindNumbers, { document, NodeFilter: { SHOW_TEXT: 4 } });
  return node.data.replaceAll('\u00a0', '~');
}

it('no line ends between a number and its sign or unit, nor between the day and the month of a date', () => {
  const texts: [string, string][] = [
    ['for € 5 and 7 %', 'for €~5 and 7~%'],
    ['an error of ±1.5 m over 12 km', 'an error of ±1.5~m over 12~km'],
    ['On 10 January 2026 or May 7', 'On 10~January 2026 or May~7'],
    ['am 3. März, el 4 de mayo', 'am 3.~März, el 4~de~mayo'],
    ['بتاريخ 17 ديسمبر 2026', 'بتاريخ 17~ديسمبر 2026'],
  ];
  for (const [text, bound] of texts) expect(bind(text)).toBe(bound);
});

it('other spaces, and those of code, stay as they are', () => {
  for (const text of ['2 men in 2026 January', '5 tons, 3 minutes', 'In May 2026', 'dismay 7']) expect(bind(text)).toBe(text);
  expect(bind('7 % of 3 m', 'pre')).toBe('7 % of 3 m');
});
