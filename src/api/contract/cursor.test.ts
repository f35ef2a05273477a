import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openCursor, sealCursor } from './cursor.ts';

const position = fc.string({ unit: fc.constantFrom('0', '1', '9', 'A', 'Z', 'a', 'z'), minLength: 1, maxLength: 22 });
const query = fc.array(fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(undefined)), { maxLength: 8 });

it('gives back the position it was made of, to the same query', () => {
  fc.assert(
    fc.property(query, position, (asked, place) => {
      expect(openCursor(asked, sealCursor(asked, place))).toBe(place);
    }),
  );
});

it('is refused for another query', () => {
  fc.assert(
    fc.property(query, query, position, (asked, other, place) => {
      fc.pre(JSON.stringify(asked) !== JSON.stringify(other));
      expect(() => openCursor(other, sealCursor(asked, place))).toThrow(/^cursor: does not belong/);
    }),
  );
});

it('is refused when anything in it was changed, and so is any other text', () => {
  fc.assert(
    fc.property(query, position, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (asked, place, at, other) => {
      const cursor = sealCursor(asked, place);
      const index = at % cursor.length;
      fc.pre(cursor[index] !== other);
      expect(() => openCursor(asked, cursor.slice(0, index) + other + cursor.slice(index + 1))).toThrow(/^cursor:/);
    }),
  );
  fc.assert(
    fc.property(query, fc.string(), (asked, text) => {
      expect(() => openCursor(asked, text)).toThrow(/^cursor:/);
    }),
  );
});

it('does not show what it holds', () => {
  expect(sealCursor(['task.list'], '0351MeTUnr1gJgglLeqh8a')).toMatch(/^[\w-]{40,}$/);
  expect(sealCursor(['task.list'], '0351MeTUnr1gJgglLeqh8a')).not.toContain('0351MeTUnr1gJgglLeqh8a');
});
