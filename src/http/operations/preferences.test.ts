import { expect, it } from 'vitest';
import { isStrictRequest } from './preferences.ts';

it.each([
  ['handling=strict', true],
  ['respond-async, Handling = "strict"; foo=bar', true],
  ['respond-async,handling=strict,wait=10', true],
  ['handling=lenient', false],
  ['xhandling=strict', false],
  ['handling=strictly', false],
  [undefined, false],
])('the preference %j is strict: %j', (prefer, isStrict) => {
  expect(isStrictRequest(prefer === undefined ? {} : { prefer })).toBe(isStrict);
});
