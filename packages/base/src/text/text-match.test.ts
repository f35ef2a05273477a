import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findStarts, lineAt } from './text-match.ts';

const fewLetters = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength, maxLength });

describe('finding a text', () => {
  it('finds every match, including overlapping ones, like a naive search', () => {
    fc.assert(
      fc.property(fewLetters(60), fewLetters(5, 1), (text, part) => {
        const expected = Array.from(text, (_, place) => place).filter((place) => text.startsWith(part, place));
        expect([...findStarts(text, part, true)]).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the matches that sequential replacement would use', () => {
    fc.assert(
      fc.property(fewLetters(60), fewLetters(5, 1), (text, part) => {
        const places = [...findStarts(text, part, false)];
        expect(places).toHaveLength(text.split(part).length - 1);
        for (const [index, place] of places.entries()) {
          expect(text.startsWith(part, place)).toBe(true);
          expect(place).toBeGreaterThanOrEqual((places[index - 1] ?? -part.length) + part.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('runs in linear time for any texts', () => {
    // With indexOf this pair blocks the process for many seconds, so the test would time out.
    const text = 'a'.repeat(8_000_000);
    expect(findStarts(text, `ab${'a'.repeat(50_000)}`, false).next().done).toBe(true);
  });

  it('counts lines from 1', () => {
    expect([0, 1, 2, 3, 4].map((place) => lineAt('a\n\nb', place))).toEqual([1, 1, 2, 3, 3]);
  });
});
