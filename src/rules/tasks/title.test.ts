import fc from 'fast-check';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { describe, expect, it } from 'vitest';
import { measureThreadMs } from '../../../test/support/base/thread-time.ts';
import { autoTitle, maxTitleLength, readAgentTitle } from './title.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

function countGraphemes(text: string): number {
  return [...segmenter.segment(text)].length;
}

describe('the title of a task without one', () => {
  it.each([
    ['Write hello.md', 'Write hello.md'],
    ['\n\n  # Plan the **launch**\nwith details', 'Plan the launch'],
    ['```js\nconst a = 1;\n```', 'const a = 1;'],
    ['---\n- [ ] Read [the report](https://example.com/a) now', 'Read the report now'],
    ['> 3) Translate `hello` and *stop*', 'Translate hello and stop'],
    ['keep snake_case_names and 2 * 3 * 4', 'keep snake_case_names and 2 * 3 * 4'],
    ['tab\tbell\u0007 nul\u0000end', 'tab bell nul end'],
    ['家を建てる', '家を建てる'],
    ['👍', '👍'],
    ['\ud800 half', '\ufffd half'],
    ['', '…'],
    ['\n```\n***', '``` ***'],
  ])('of %j is %j', (text, title) => {
    expect(autoTitle(text)).toBe(title);
  });

  it('is truncated at the end of a word', () => {
    expect(autoTitle('word '.repeat(40))).toBe(`${'word '.repeat(11).trimEnd()}…`);
  });

  it('is never truncated within a grapheme', () => {
    const family = '👨‍👩‍👧‍👦';
    const title = autoTitle(family.repeat(80));
    expect(title.slice(0, -1)).toBe(family.repeat((title.length - 1) / family.length));
  });

  it('is one non-empty line of at most 60 characters, whatever the message', () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string());
    fc.assert(
      fc.property(text, (message) => {
        const title = autoTitle(message);
        expect(title).not.toBe('');
        expect(title).toBe(toOneLine(title));
        expect(title.length).toBeLessThanOrEqual(maxTitleLength);
        expect(countGraphemes(title)).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('is computed quickly for a long hostile message', () => {
    const evil = ['*', '[', '`a', '\n', '**a', '_a ', '[a](', '> ', '![', '~~x'].map((piece) => piece.repeat(200_000));
    const makeAll = () => {
      for (const message of evil) autoTitle(message);
    };
    // The best of several: what the machine does beside it makes computing slower too.
    expect(Math.min(...[1, 2, 3].map(() => measureThreadMs(makeAll)))).toBeLessThan(2000);
  });
});

describe('the title that an agent gives its task', () => {
  it.each([
    ['Sales of May', 'Sales of May'],
    ['"Sales of May"', 'Sales of May'],
    ['「五月の売上」', '五月の売上'],
    ['"Emma" and "Persuasion"', '"Emma" and "Persuasion"'],
    ['# **Sales** of\u0007 May\nand more', 'Sales of May'],
    ['\u202eyaM fo selaS\u2066\u200b', 'yaM fo selaS'],
    ['', null],
    ['""', null],
    ['---', null],
    ['\u200b\u202e', null],
  ])('of %j is %j', (text, title) => {
    expect(readAgentTitle(text)).toBe(title);
  });

  it('is one line of at most 60 characters without unseen marks, or none, whatever a model sends', () => {
    const piece = fc.oneof(anyCharacter, fc.constantFrom('"', '「', '”', '\u202e', '\u2069', '\u200b', '\n', '#', '`'));
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 300 }), (text) => {
        const title = readAgentTitle(text);
        if (title === null) return;
        expect(title).not.toBe('');
        expect(title).toBe(toOneLine(title));
        expect(title).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]/);
        expect(countGraphemes(title)).toBeLessThanOrEqual(60);
      }),
    );
  });
});
