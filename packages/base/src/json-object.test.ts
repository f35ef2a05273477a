import { expect, it } from 'vitest';
import { isJsonObject } from './json-object.ts';

it('is neither null nor an array nor a plain value', () => {
  expect([{}, { a: 1 }].map(isJsonObject)).toEqual([true, true]);
  for (const value of [null, undefined, [], [{}], 'text', 1, true]) expect(isJsonObject(value)).toBe(false);
});
