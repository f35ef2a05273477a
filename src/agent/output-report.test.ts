import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrittenFile } from './output-report.ts';

/** The text that was read after each of these pieces of an input. */
function readPieces(pieces: readonly string[]): { file: WrittenFile; texts: string[] } {
  const file = new WrittenFile();
  return { file, texts: pieces.map((piece) => file.add(piece)) };
}

/** A text in pieces that end at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set([...places.map((place) => place % (text.length + 1)), text.length])].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

const anyText = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', ' ', '}', '\u0001', '\0') });
const anyPlaces = fc.array(fc.nat(400), { maxLength: 30 });

describe('a file that a model writes as the input of a call', () => {
  it('is read wherever the pieces of the input end, with no character torn', () => {
    fc.assert(
      fc.property(anyText, anyText, anyPlaces, fc.boolean(), (path, content, places, isSpaced) => {
        const json = JSON.stringify({ path, content }, null, isSpaced ? 2 : 0);
        const { file, texts } = readPieces(cut(json, places));
        expect([file.path, texts.join('')]).toEqual([path, content]);
        for (const text of texts) expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('grows with each piece', () => {
    const { texts } = readPieces(['{"path": "a.md", "cont', 'ent": "# Ti', 'tle\\', 'nWords \\ud83d', '\\ude00', '"}']);
    expect(texts).toEqual(['', '# Ti', 'tle', '\nWords ', '😀', '']);
  });

  it.each([
    ['another order', ['{"content": "x", "path": "a.md"}']],
    ['no object', ['[1, 2', ']']],
    ['a name without an end', [`{"path": "${'x'.repeat(3_000)}`, '", "content": "y"}']],
    ['a wrong escape', ['{"path": "a.md", "content": "\\q']],
  ])('is left alone with %s', (_, pieces) => {
    expect(readPieces(pieces).texts.join('')).toBe('');
  });
});
