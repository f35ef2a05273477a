import { expect, it } from 'vitest';
import { networkKindOf, networkOf } from './address-block.ts';

it('all addresses of one subscriber share a block, however they are written', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('2001:db8:1:2:aaaa::1')).toBe(networkOf('2001:0db8:0001:0002::ffff'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('')).toBe('');
});

it('an address tells whether it is of this machine, of a private network, or of the Internet, and no more', () => {
  const kinds = {
    '127.0.0.1': 'local',
    '::1': 'local',
    '::ffff:127.0.0.1': 'local',
    '192.168.1.7': 'private',
    '10.0.0.1': 'private',
    'fd00::1': 'private',
    'fe80::1': 'private',
    '100.64.0.1': 'private',
    '203.0.114.9': 'public',
    '2a00:1450::1': 'public',
    '0.0.0.0': null,
    'not an address': null,
  };
  expect(Object.fromEntries(Object.keys(kinds).map((address) => [address, networkKindOf(address)]))).toEqual(kinds);
});
