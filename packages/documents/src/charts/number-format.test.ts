import { expect, it } from 'vitest';
import { addUnit } from './number-format.ts';

it('a unit stands as it is written by hand: signs at the number, words after a space', () => {
  const drawn = ['€', '%', 'EUR', 'kg', ' kg', ''].map((unit) => addUnit('−7', unit));
  expect(drawn).toEqual(['−€7', '−7%', '−7\u00a0EUR', '−7\u00a0kg', '−7 kg', '−7']);
});
