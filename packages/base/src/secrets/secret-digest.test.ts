import { expect, it } from 'vitest';
import { digestSecret } from './secret-digest.ts';

it('looks secrets up by their SHA-256', () => {
  expect(digestSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
