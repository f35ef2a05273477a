import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText } from './terminal-text.ts';
import { anyCharacter } from '../../../../test/support/base/any-character.ts';

// oxlint-disable-next-line no-control-regex
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('untrusted text', () => {
  it('cannot move the cursor, clear the screen, set the title or hide itself', () => {
    expect(cleanText('a\u001b[2Jb\u001b]0;title\u0007c\rd\u009b1me\u202ef')).toBe('abcdef');
    expect(cleanText('two\nlines\tand a tab')).toBe('two\nlines\tand a tab');
  });

  it('never contains terminal control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(cleanText(text)).not.toMatch(dangerous);
      }),
    );
  });

  it('is one line of limited length if one line is requested', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.integer({ min: 1, max: 100 }), (text, length) => {
        const line = cleanLine(text, length);
        expect(line).not.toMatch(/[\n\t]/);
        expect(line.length).toBeLessThanOrEqual(length);
        expect(line.isWellFormed() || !text.isWellFormed()).toBe(true);
      }),
    );
  });
});
