import { describe, expect, it } from 'vitest';
import { compactSnapshot, divideLines } from './page-text.ts';

describe('the text of a page', () => {
  it('keeps references of what can be acted on, and leaves out boxes that say nothing', () => {
    const snapshot = [
      '- generic [active] [ref=e1]:',
      '  - main [ref=e2]:',
      '    - generic [ref=e3]:',
      '      - heading "Head" [level=1] [ref=e4]',
      '      - link "Link" [ref=e5] [cursor=pointer]:',
      '        - /url: https://site.test/page',
      '    - generic [ref=e6] [cursor=pointer]: Pointer',
      '    - paragraph [ref=e7]: text',
    ].join('\n');
    expect(compactSnapshot(snapshot, 'https://site.test')).toEqual([
      '- main [ref=e2]:',
      '  - heading "Head" [level=1]',
      '  - link "Link" [ref=e5]:',
      '    - /url: /page',
      '  - generic [ref=e6]: Pointer',
      '  - paragraph: text',
    ]);
  });

  it('names a picture, but of what it consists of only what can be acted on', () => {
    const snapshot = [
      ...[
        '- img "Sales by month" [ref=e1]:',
        '  - generic [ref=e2]:',
        '    - text: Jan',
        '  - text: Feb',
        '  - link "Mar" [ref=e5]',
      ],
      ...['- img [ref=e3]:', '  - text: Unnamed', '- paragraph [ref=e4]: after'],
    ].join('\n');
    const shown = ['- img "Sales by month"', '  - link "Mar" [ref=e5]', '- img:', '  - text: Unnamed', '- paragraph: after'];
    expect(compactSnapshot(snapshot, 'https://site.test')).toEqual(shown);
  });

  it('is divided into parts that lose nothing and are never too long', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `${index} ${'ü'.repeat(index * 100)}`);
    const parts = divideLines(lines);
    expect(parts.every((part) => part.length <= 14_100)).toBe(true);
    expect(parts.join('').replaceAll('\n', '')).toBe(lines.join(''));
    expect(divideLines(Array(10_000).fill('x'.repeat(2000)))).toHaveLength(100);
  });
});
