import { expect, it } from 'vitest';
import { readFilterValue, showFilterValue } from './filter-value.ts';

it('a value of a condition is the same after it was shown and entered', () => {
  for (const value of ['opened', '', '5', 'true', '"quoted"', 5, true, null, [1], { a: 'b' }]) {
    expect(readFilterValue(showFilterValue(value))).toEqual(value);
  }
  expect(['opened', '5', 5, true].map(showFilterValue)).toEqual(['opened', '"5"', '5', 'true']);
});
