import { expect, it } from 'vitest';
import { makeUserCode, readUserCode } from './user-code.ts';

it('a user code is accepted however it is typed, and nothing else is', () => {
  let at = 0;
  const code = makeUserCode((below) => at++ % below);
  expect(code).toBe('BCDF-GHJK');
  for (const typed of [code, 'bcdfghjk', ' bcdf ghjk ', 'BC-DF-GH-JK']) expect(readUserCode(typed)).toBe(code);
  for (const wrong of ['', 'BCDF-GHJ', 'BCDF-GHJKL', 'ACDF-GHJK', 'BCDF_GHJK', '12345678'])
    expect(readUserCode(wrong)).toBeNull();
});
