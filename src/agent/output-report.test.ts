import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delta } from '@errand/base/signals/deltas.ts';
import { createReport, WrittenFile } from './output-report.ts';

/** The text that was read after each of these pieces of an input. */
function readPieces(pieces: readonly string[], tool: 'write_file' | 'edit_file' = 'write_file') {
  const file = new WrittenFile(tool);
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

  it('is the new passage of an edit, wherever the pieces end', () => {
    fc.assert(
      fc.property(anyText, anyText, anyPlaces, (before, after, places) => {
        const json = JSON.stringify({ path: 'a.md', old_string: before, new_string: after, replace_all: true });
        const { file, texts } = readPieces(cut(json, places), 'edit_file');
        expect([file.path, texts.join('')]).toEqual(['a.md', after]);
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
    ['a name without an end', [`{"path": "${'x'.repeat(4_500)}`, '", "content": "y"}']],
    ['a long name', [`{"path": "${'x'.repeat(5_000)}", "content": "y`, 'y"}']],
    ['a name longer than is shown', [`{"path": "${'x'.repeat(201)}", "content": "y`, 'y"}']],
    ['the input of another tool', ['{"path": "a.md", "old_string": "x", "new_string": "y"}']],
    ['a wrong escape', ['{"path": "a.md", "content": "\\q']],
  ])('is left alone with %s', (_, pieces) => {
    expect(readPieces(pieces).texts.join('')).toBe('');
  });

  it('is read with the longest name that is shown', () => {
    const { file, texts } = readPieces([`{"path": "${'漢'.repeat(200)}", "content": "y`, 'z"}']);
    expect([file.path?.length, texts]).toEqual([200, ['y', 'z']]);
  });

  it('is shown to its first 200,000 characters', () => {
    const deltas: Delta[] = [];
    const report = createReport('c1', 'write_file', (delta) => deltas.push(delta), 'a.md');
    for (const sign of ['a', 'b', 'c']) report(sign.repeat(90_000));
    expect(deltas.map(({ at, text }) => [at, text.length])).toEqual([
      [0, 90_000],
      [90_000, 90_000],
      [180_000, 20_000],
    ]);
  });
});
