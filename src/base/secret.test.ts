import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestSecret, secretsEqual } from './secret.ts';

it('looks secrets up by their SHA-256', () => {
  expect(digestSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('finds equal secrets equal and all others not, of whatever length', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      expect(secretsEqual(left, right)).toBe(left === right);
      expect(secretsEqual(left, left)).toBe(true);
    }),
  );
  expect(secretsEqual('sk-a', 'sk-a\0')).toBe(false);
});
