import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/support/base/any-character.ts';
import { cutMark, fillTemplate, findPlaces, parseTemplate } from './message-template.ts';

const anyText = fc.string({ unit: anyCharacter });
const fill = (template: string, values: Record<string, string>, maxLength = 1000) =>
  fillTemplate(template, (name) => values[name] ?? '', maxLength);

describe('a template', () => {
  it('has its values where their names stand, with spaces around them or without', () => {
    expect(fill('{{a}} and {{ b }}{{a}}!', { a: 'one', b: 'two' })).toEqual({
      text: 'one and twoone!',
      quoted: [
        [0, 3],
        [8, 11],
        [11, 14],
      ],
      cut: [],
    });
  });

  it('keeps every other brace', () => {
    for (const text of ['{a}', '{{a', 'a}}', '{ {a} }', '{{{', '', '{{a}']) expect(fill(text, { a: 'x' }).text).toBe(text);
    expect(fill('{{{a}}}', { a: 'x' }).text).toBe('{x}');
  });

  it('names its places once', () => {
    expect(findPlaces('{{a}} {{ /b/0 }} {{a}} {{}}')).toEqual(['a', '/b/0', '']);
  });

  it('does not fill what a value contains', () => {
    expect(fill('{{a}}{{b}}', { a: '{{b}}', b: '{{a}}' }).text).toBe('{{b}}{{a}}');
    expect(fill('{{a}}{{b}}}}', { a: '{', b: '{a' }).text).toBe('{{a}}');
  });

  it('is the same text again, whatever it is, if each place is filled with itself', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom('{{', '}}', '{{a}}', '{{b}}'))), (pieces) => {
        const template = pieces.join('').toWellFormed();
        const text = parseTemplate(template)
          .map((part) => (part.kind === 'text' ? part.text : ''))
          .join('');
        expect(text.length).toBeLessThanOrEqual(template.length);
        expect(fillTemplate(template, () => '', 1000).text).toBe(text);
      }),
    );
  });

  it('never becomes longer than allowed, marks what it cuts, and quotes exactly its values', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 40, max: 80 }), (a, b, maxLength) => {
        const [one, other] = [a.toWellFormed(), b.toWellFormed()];
        const { text, quoted, cut } = fill('x{{a}}y{{b}}z', { a: one, b: other }, maxLength);
        expect(text.length).toBeLessThanOrEqual(maxLength);
        expect(text.isWellFormed()).toBe(true);
        expect(cut.length > 0).toBe(one.length + other.length + 3 > text.length);
        const shown = quoted.map(([start, end]) => text.slice(start, end));
        for (const value of shown) {
          const full = value.endsWith(cutMark) ? value.slice(0, -cutMark.length) : value;
          expect(one.startsWith(full) || other.startsWith(full)).toBe(true);
        }
      }),
    );
  });
});
