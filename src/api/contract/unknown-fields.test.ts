import { expect, it } from 'vitest';
import { z } from 'zod';
import { optional } from './fields.ts';
import { listUnknown } from './unknown-fields.ts';

const schema = z.object({
  a: z.string().optional(),
  list: optional(z.array(z.object({ b: z.string() }))),
  either: z.union([z.string(), z.object({ c: z.string() })]).optional(),
  open: z.record(z.string(), z.unknown()).optional(),
  any: z.unknown(),
});

it('unknown fields are found at every level that a schema describes', () => {
  const input = { a: 'x', z: 1, list: [{ b: 'x' }, { b: 'x', y: 1 }], either: { c: 'x', d: 1 }, open: { e: 1 }, any: { f: 1 } };
  expect(listUnknown(schema, input)).toEqual(['z', 'list[1].y', 'either.d']);
  expect(listUnknown(schema, { either: 'x', list: null })).toEqual([]);
  expect(listUnknown(schema, 'text')).toEqual([]);
});

it('unknown names are few, short and safe in a header', () => {
  const names = listUnknown(schema, { 'a b\r\nc: d': 1, grün: 1, '\ud800': 1, ['x'.repeat(1000)]: 1 });
  expect(names).toEqual(['a%20b%0D%0Ac%3A%20d', 'gr%C3%BCn', '%EF%BF%BD', 'x'.repeat(64)]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, 1]));
  expect(listUnknown(schema, many)).toHaveLength(20);
});
