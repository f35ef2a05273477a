import { expect, it } from 'vitest';
import { networkOf } from './address-block.ts';

it('all addresses of one subscriber share a block, however they are written', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('2001:db8:1:2:aaaa::1')).toBe(networkOf('2001:0db8:0001:0002::ffff'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('')).toBe('');
});
