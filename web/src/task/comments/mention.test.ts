import { describe, expect, it } from 'vitest';
import { completeMention, readMentionQuery, splitMentions } from './mention.ts';

describe('mentions in a comment', () => {
  it('are told from other words', () => {
    expect(splitMentions('Hi @ann@example.com, see x@y.z')).toEqual([
      { at: 0, text: 'Hi ', isMention: false },
      { at: 3, text: '@ann@example.com', isMention: true },
      { at: 19, text: ', see x@y.z', isMention: false },
    ]);
    expect(splitMentions('请@ann@example.com，看')).toEqual([
      { at: 0, text: '请', isMention: false },
      { at: 1, text: '@ann@example.com', isMention: true },
      { at: 17, text: '，看', isMention: false },
    ]);
    expect(splitMentions('@ann')).toEqual([{ at: 0, text: '@ann', isMention: false }]);
  });

  it.each([
    ['@', 1, ''],
    ['Hi @an', 6, 'an'],
    ['Hi @an there', 6, 'an'],
    ['Hi @an there', 12, null],
    ['mail a@b', 8, null],
    ['@ann@ex', 7, null],
    ['请@an', 4, 'an'],
    ['@ann，', 5, null],
  ])('of %j with the caret at %d have %j typed', (text, caret, expected) => {
    expect(readMentionQuery(text, caret)).toBe(expected);
  });

  it('are completed in their place', () => {
    expect(completeMention('Hi @an there', 6, 'ann@example.com')).toEqual({ text: 'Hi @ann@example.com there', caret: 20 });
    expect(completeMention('@', 1, 'ann@example.com')).toEqual({ text: '@ann@example.com ', caret: 17 });
  });
});
