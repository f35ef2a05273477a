import { describe, expect, it } from 'vitest';
import { listMentions } from './mentions.ts';

describe('the mentions of a comment', () => {
  it.each([
    ['@ann@example.com, look', ['ann@example.com']],
    ['Please ask @Ann@Example.com.', ['ann@example.com']],
    ['(@ann@example.com) and @bob@example.com!', ['ann@example.com', 'bob@example.com']],
    ['@ann@example.com and again @ANN@example.com', ['ann@example.com']],
    ['Write to ann@example.com, not to x@ann@example.com', []],
    ['@ann@example.com，请看', ['ann@example.com']],
    ['请@ann@example.com看看。', ['ann@example.com']],
    ['“@ann@example.com”、@bob@example.com。', ['ann@example.com', 'bob@example.com']],
    ['@ann，@bob@xn--bcher-kva.example…', ['bob@xn--bcher-kva.example']],
    ['/@ann@bücher.example/: read', ['ann@bücher.example']],
    ['@ann is no address', []],
    ['', []],
  ])('of %j are %j', (text, expected) => {
    expect(listMentions(text)).toEqual(expected);
  });

  it('are at most twenty, and a hostile text is read in passing', () => {
    const many = Array.from({ length: 50 }, (_, index) => `@p${index}@example.com`).join(' ');
    expect(listMentions(many)).toHaveLength(20);
    expect(listMentions(`@${'@'.repeat(4000)}`)).toEqual([]);
    expect(listMentions(`@${'a'.repeat(4000)}@${'b'.repeat(4000)}`)).toEqual([]);
    expect(listMentions('@a@-'.repeat(1000))).toEqual([]);
  });
});
