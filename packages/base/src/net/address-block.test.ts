import { expect, it } from 'vitest';
import { neighbourhoodOf } from './address-block.ts';

it('all addresses of one subscriber share a block, however they are written', () => {
  expect(neighbourhoodOf('203.0.113.9')).toBe('203.0.113.9');
  expect(neighbourhoodOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(neighbourhoodOf('2001:db8:1:2:aaaa::1')).toBe(neighbourhoodOf('2001:0db8:0001:0002::ffff'));
  expect(neighbourhoodOf('2001:db8:1:2::1')).not.toBe(neighbourhoodOf('2001:db8:1:3::1'));
  expect(neighbourhoodOf('')).toBe('');
});
