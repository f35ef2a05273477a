import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureThreadMs } from '../../../test/support/base/thread-time.ts';
import { readHtml } from '../../../test/support/bridges/telegram-chats.ts';
import { readMarkup } from './markup.ts';
import { cutPieces } from './message-pieces.ts';
import { readSlackText, slackRenderer } from '../slack/slack-renderer.ts';
import { telegramRenderer } from '../telegram/telegram-renderer.ts';

const telegram = (markdown: string) => cutPieces(readMarkup(markdown), telegramRenderer).map(({ styled }) => styled);
const slack = (markdown: string) => cutPieces(readMarkup(markdown), slackRenderer).map(({ styled }) => styled);

describe('Markdown in a chat', () => {
  it.each([
    ['**b** and *i* and _j_ and ~~s~~ and `c < d`', '<b>b</b> and <i>i</i> and <i>j</i> and <s>s</s> and <code>c &lt; d</code>'],
    ['# Title **x**', '<b>Title </b><b>x</b>'],
    [
      '[a](https://e.com/?a=1&b=2) and [b](javascript:alert(1))',
      '<a href="https://e.com/?a=1&amp;b=2">a</a> and [b](javascript:alert(1))',
    ],
    ['snake_case_name and 2 * 3 * 4 and **open', 'snake_case_name and 2 * 3 * 4 and **open'],
    ['- one\n  - two\n- [x] done\n1. first', '• one\n  • two\n☑ done\n1. first'],
    ['> said\n---\nnext', '<blockquote>said</blockquote>\n———\nnext'],
    ['```ts\nif (a < b) {}\n```\nafter', '<pre>if (a &lt; b) {}</pre>\nafter'],
    ['| a | b |\n|---|---|\n| one | **two** |', '<pre>a    b\none  two</pre>'],
    ['\\*not\\* <b>html</b>', '*not* &lt;b&gt;html&lt;/b&gt;'],
  ])('%j in Telegram', (markdown, html) => {
    expect(telegram(markdown)).toEqual([html]);
  });

  it.each([
    ['**b** and *i* and ~~s~~ & <x>', '*b* and _i_ and ~s~ &amp; &lt;x&gt;'],
    ['[a|b](https://e.com/?a=1|2)', '<https://e.com/?a=1%7C2|a¦b>'],
    ['```\na ``` b\n```', '```\na `\u200b`` b\n```'],
  ])('%j in Slack', (markdown, text) => {
    expect(slack(markdown)).toEqual([text]);
  });

  it('reads Slack messages as their authors saw them', () => {
    const typed = 'see <https://e.com/a|e.com> &amp; <@U1> &lt;b&gt; <#C1|general> <mailto:a@b.c|a@b.c>';
    expect(readSlackText(typed)).toBe('see https://e.com/a & @U1 <b> @general mailto:a@b.c');
  });

  it('is always valid for the platform, within its limits, and complete', () => {
    const word = fc.constantFrom(
      'wörd',
      '**',
      '*',
      '_',
      '`',
      '```',
      '\n',
      '~~',
      '[a](https://e.com)',
      '<b>',
      '&',
      '|',
      '> ',
      '# ',
      '😀',
      '\\',
      '- ',
    );
    const text = fc.array(fc.tuple(word, fc.constantFrom('', ' ')), { maxLength: 60 }).map((parts) => parts.flat().join(''));
    const times = fc.constantFrom(1, 2, 400);
    fc.assert(
      fc.property(text, times, (markdown, count) => {
        const pieces = cutPieces(readMarkup(markdown.repeat(count)), telegramRenderer);
        for (const { styled, plain } of pieces) {
          expect(readHtml(styled)).toHaveProperty('text');
          expect(styled.length).toBeLessThanOrEqual(4096);
          expect(plain.isWellFormed()).toBe(true);
        }
        for (const styled of slack(markdown.repeat(count))) expect(styled.length).toBeLessThanOrEqual(3000);
        const wordsIn = (value: string) => value.split('wörd').length;
        expect(wordsIn(pieces.map(({ plain }) => plain).join(''))).toBe(wordsIn(markdown.repeat(count)));
      }),
      { numRuns: 150 },
    );
  });

  it('is converted in linear time, whatever it contains', () => {
    for (const evil of ['`', '*', '_', '[', '**a', '~~', '> ', '`a``b```', '|', '[a](', '\\']) {
      const text = evil.repeat(Math.floor(200_000 / evil.length));
      expect(measureThreadMs(() => telegram(text))).toBeLessThan(5000);
    }
  });
});
