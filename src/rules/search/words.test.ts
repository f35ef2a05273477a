import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectWords, isWanted, listWords, longestWord, readQuery } from './words.ts';
import { cutSnippet } from './snippet.ts';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.lorem());

describe('the words of a text', () => {
  it('differ neither by case, nor by accents, nor by width', () => {
    expect([...listWords('Crème BRÛLÉE, ＡＢＣ x²')]).toEqual(['creme', 'brulee', 'abc', 'x2']);
  });

  it('are pairs of characters where a script has no spaces', () => {
    expect([...listWords('用Python写机器学习')]).toEqual(['用', 'python', '写机', '机器', '器学', '学习', '习']);
  });

  it('have letters and digits only, and a bounded length and number', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of listWords(text)) {
          expect(word.length).toBeLessThanOrEqual(longestWord);
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(word).toBe(word.toLowerCase());
        }
        expect(collectWords(text, 3).length).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('are found by whoever looks for a text that contains them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const query = readQuery(text);
        const words = [...listWords(text)];
        if (!query) {
          expect(words).toEqual([]);
          return;
        }
        for (const word of query.words) expect(words).toContain(word);
        expect(words.some((word) => isWanted(word, { words: [], beginning: query.beginning ?? query.words.at(-1) ?? '' }))).toBe(
          true,
        );
      }),
    );
  });
});

describe('what somebody looks for', () => {
  it('is every word, the last of which may be a beginning', () => {
    expect(readQuery('paint the HOU')).toEqual({ words: ['paint', 'the'], beginning: 'hou' });
    expect(readQuery('plan b')).toEqual({ words: ['plan', 'b'], beginning: null });
    expect(readQuery('器学')).toEqual({ words: [], beginning: '器学' });
    expect(readQuery(' "–" ')).toBeNull();
  });
});

describe('a snippet', () => {
  const read = (text: string, wanted: string) => {
    const query = readQuery(wanted) ?? { words: [], beginning: null };
    return cutSnippet(text, query)
      .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
      .join('');
  };

  it('shows the words looked for as they are written', () => {
    expect(read('Paint the Crème house\n\nred', 'creme hou')).toBe('Paint the [Crème] [house] red');
    expect(read('用Python写机器学习', '机器')).toBe('用Python写[机器]学习');
  });

  it('begins shortly before the first of them, and ends soon', () => {
    const text = `${'before '.repeat(40)}needle${' after'.repeat(60)}`;
    const shown = read(text, 'needle');
    expect(shown).toMatch(/^…(?: ?before )+\[needle\](?: after)+ ?…$/);
    expect(shown.length).toBeLessThan(260);
  });

  it('adds nothing to the text but dots', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, wanted) => {
        const shown = cutSnippet(text, readQuery(wanted) ?? { words: [], beginning: null });
        const whole = text.toWellFormed().replaceAll(/\s+/gu, ' ').trim();
        const inner = shown
          .map((part) => part.text)
          .join('')
          .replace(/^…/, '')
          .replace(/…$/, '');
        expect(whole).toContain(inner);
      }),
    );
  });
});
