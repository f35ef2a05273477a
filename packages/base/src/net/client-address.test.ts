import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVisitorFinder } from './client-address.ts';

const trusted = ['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32'];
const find = createVisitorFinder(trusted);

const proxy = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => `10.${parts.join('.')}`),
  fc.nat(65_535).map((part) => `fd00::${part.toString(16)}`),
);
const visitor = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255)).map((parts) => `203.0.${parts.join('.')}`),
  fc.nat(65_534).map((part) => `2001:db8::${(part + 1).toString(16)}`),
);

describe('the address of a visitor', () => {
  it('is that of the connection if no proxy is trusted, whatever the header says', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (remoteAddress, forwardedFor) => {
        expect(createVisitorFinder([])({ remoteAddress, forwardedFor })).toBe(remoteAddress);
      }),
    );
  });

  it('is the rightmost one that is not a trusted proxy, whatever clients send', () => {
    fc.assert(
      fc.property(visitor, fc.array(proxy, { minLength: 1, maxLength: 6 }), fc.string(), (address, proxies, forged) => {
        const [last = '', ...others] = proxies;
        const written = [forged.replaceAll(',', ';'), address, ...others.toReversed()].join(', ');
        expect(find({ remoteAddress: last, forwardedFor: written })).toBe(address);
        expect(find({ remoteAddress: address, forwardedFor: `${forged}, 10.1.1.1` })).toBe(address);
      }),
      { numRuns: 500 },
    );
  });

  it('is always an address from the connection or the header, whatever is sent', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), proxy, visitor)), (parts) => {
        const found = find({ remoteAddress: '10.0.0.1', forwardedFor: parts.join(',') });
        expect(
          found === '10.0.0.1' ||
            parts
              .join(',')
              .split(',')
              .some((part) => part.includes(found)),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is parsed with ports, brackets and IPv4-mapped IPv6, and anything else is ignored', () => {
    const cases: readonly [remote: string, header: string | undefined, found: string][] = [
      ['10.0.0.1', undefined, '10.0.0.1'],
      ['10.0.0.1', '', '10.0.0.1'],
      ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
      ['10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
      ['10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
      ['fd00::1', '[2001:db8::7]:4711', '2001:db8::7'],
      ['10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
      ['10.0.0.1', '1.2.3.4, 10.0.0.2, evil', '10.0.0.1'],
      ['10.0.0.1', '1.2.3.4, evil, 10.0.0.2', '10.0.0.2'],
      ['10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
      ['10.0.0.1', '0x7f.1', '10.0.0.1'],
      ['10.0.0.1', '127.1', '10.0.0.1'],
      ['10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
      ['10.0.0.1', `1.2.3.4${', 10.0.0.2'.repeat(40)}`, '10.0.0.2'],
      ['11.0.0.1', '1.2.3.4', '11.0.0.1'],
      ['127.0.0.2', '1.2.3.4', '127.0.0.2'],
      ['', '1.2.3.4', ''],
    ];
    for (const [remoteAddress, forwardedFor, found] of cases) expect(find({ remoteAddress, forwardedFor })).toBe(found);
  });
});
