import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressRules } from './address-rules.ts';

const strict = createAddressRules([], () => []);

/** Each range separately: its name in the log, and addresses at its boundaries and inside. */
const families: readonly [sentence: string, family: string, addresses: readonly string[]][] = [
  ['this network', 'unspecified', ['0.0.0.0', '0.0.0.1', '0.127.0.1', '0.255.255.255', '::', '0:0:0:0:0:0:0:0', '::0.0.0.0']],
  [
    'loopback',
    'loopback',
    ['127.0.0.0', '127.0.0.1', '127.1.2.3', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '0000::0001', '::0.0.0.1'],
  ],
  [
    'private networks',
    'private',
    ['10.0.0.0', '10.1.2.3', '10.255.255.255', '172.16.0.0', '172.20.10.1', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ],
  ['carrier-grade NAT', 'carrierGradeNat', ['100.64.0.0', '100.64.0.1', '100.100.100.200', '100.127.255.255']],
  [
    'link-local addresses, including cloud metadata',
    'linkLocal',
    [
      '169.254.0.0',
      '169.254.169.254',
      '169.254.170.2',
      '169.254.255.255',
      'fe80::',
      'fe80::1',
      'fe80::a9fe:a9fe',
      'febf:ffff::1',
    ],
  ],
  ['multicast', 'multicast', ['224.0.0.0', '224.0.0.1', '239.255.255.255', 'ff00::', 'ff02::1', 'ff0e::1', 'ffff::1']],
  ['broadcast', 'broadcast', ['255.255.255.255']],
  ['addresses reserved for future use', 'reserved', ['240.0.0.0', '240.0.0.1', '250.1.2.3', '255.255.255.254']],
  ['protocol assignments', 'reserved', ['192.0.0.0', '192.0.0.8', '192.0.0.192', '192.0.0.255', '2001:1::1', '2001:1ff::1']],
  [
    'documentation',
    'reserved',
    [
      '192.0.2.0',
      '192.0.2.255',
      '198.51.100.1',
      '203.0.113.1',
      '203.0.113.255',
      '2001:db8::',
      '2001:db8:ffff::1',
      '3fff::',
      '3fff:fff::1',
    ],
  ],
  ['benchmarking', 'reserved', ['198.18.0.0', '198.18.0.1', '198.19.255.255']],
  ['benchmarking over IPv6', 'benchmarking', ['2001:2::', '2001:2:0:ffff::1']],
  ['6to4 relays', 'reserved', ['192.88.99.0', '192.88.99.1']],
  ['sinks for misdirected queries', 'as112', ['192.175.48.1', '192.31.196.1']],
  ['sinks for misdirected queries over IPv6', 'as112v6', ['2001:4:112::1', '2620:4f:8000::1']],
  ['multicast tunnels', 'amt', ['192.52.193.1', '2001:3::1']],
  ['services of the hosting platform', 'platformService', ['168.63.129.16']],
  [
    'unique local addresses, including cloud metadata',
    'uniqueLocal',
    ['fc00::', 'fc00::1', 'fd00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff::1'],
  ],
  ['site-local addresses', 'deprecatedSiteLocal', ['fec0::', 'fec0::1', 'feff:ffff::1']],
  ['the discard prefix', 'discard', ['100::', '100::1']],
  [
    'IPv4-mapped IPv6',
    'ipv4Mapped',
    [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:169.254.169.254',
      '::ffff:a00:1',
      '::ffff:8.8.8.8',
      '0:0:0:0:0:ffff:7f00:1',
      '::FFFF:10.0.0.1',
    ],
  ],
  [
    'IPv4-compatible IPv6',
    'ipv4Compatible',
    ['::127.0.0.1', '::7f00:1', '::169.254.169.254', '::10.0.0.1', '::8.8.8.8', '::2', '::ffff', '::1:0'],
  ],
  ['IPv4-translated IPv6', 'rfc6145', ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1', '::ffff:0:8.8.8.8']],
  [
    'NAT64, public and local',
    'rfc6052',
    [
      '64:ff9b::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::1',
      '64:ff9b:1:7f00:0:100::',
      '64:ff9b:1:ffff::1',
    ],
  ],
  ['6to4', '6to4', ['2002::', '2002:7f00:1::', '2002:7f00:1::1', '2002:a9fe:a9fe::1', '2002:808:808::1', '2002:ffff:ffff::1']],
  ['Teredo', 'teredo', ['2001::', '2001::1', '2001:0:4136:e378:8000:63bf:80ff:fffe', '2001:0:ffff::1']],
  [
    'ISATAP with any prefix',
    'isatap',
    [
      '2600::5efe:7f00:1',
      '2600::5efe:127.0.0.1',
      '2600:1:2:3:0:5efe:a00:1',
      '2600:1:2:3:200:5efe:808:808',
      '2a00::200:5efe:10.0.0.1',
    ],
  ],
  ['overlay identifiers', 'orchid2', ['2001:20::1', '2001:2f:ffff::1']],
  ['former overlay identifiers', 'deprecatedOrchid', ['2001:10::1', '2001:1f:ffff::1']],
  ['drone identifiers', 'droneRemoteIdProtocolEntityTags', ['2001:30::1', '2001:3f:ffff::1']],
  ['segment routing', 'segmentRouting', ['5f00::', '5f00::1']],
  [
    'unallocated addresses',
    'unallocated',
    ['1::1', '200::1', '1fff:ffff::1', '4000::1', '64:ff9c::1', '8000::1', 'e000::1', 'f000::1', 'fe00::1'],
  ],
];

const publicAddresses: readonly string[] = [
  ...['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34', '99.255.255.255', '100.63.255.255'],
  ...['100.128.0.0', '126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0'],
  ...['172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:db7::1', '2001:db9::1', '2003::1', '2400::1', '2606:4700::1111'],
  ...['2600::5eff:7f00:1', '2600::100:5efe:7f00:1', '3ffe::1', '3fff:1000::1', '2a02:6b8::ffff:7f00:1'],
];

const malformed: readonly string[] = [
  ...[
    '',
    ' ',
    'localhost',
    '127.1',
    '127.0.0.1.',
    '127.0.0.1 ',
    ' 127.0.0.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
  ],
  ...[
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.256',
    '08.8.8.8',
    '8.8.8.8/32',
    '8.8.8.8:80',
    '８.8.8.8',
    '[2606:4700::1111]',
    '2606:4700::1111%1',
  ],
  ...[
    '2606:4700::1111%eth0',
    'fe80::1%eth0',
    '::1%lo',
    '2606:4700:::1',
    '2606:4700::1::1',
    '1:2:3:4:5:6:7:8:9',
    '2606:4700::11111',
    '2606::1/64',
  ],
];

describe('the rules for addresses', () => {
  it.each(families)('reject %s (%s)', (_sentence, family, addresses) => {
    expect(addresses.map((address) => [address, strict.refuse(address)])).toEqual(addresses.map((address) => [address, family]));
  });

  it('allow public addresses, up to the edge of each blocked range', () => {
    expect(publicAddresses.filter((address) => strict.refuse(address) !== null)).toEqual([]);
  });

  it('reject anything but one complete address without a zone', () => {
    expect(malformed.filter((address) => strict.refuse(address) !== 'malformed')).toEqual([]);
  });

  it('reject the public addresses of this machine', () => {
    const rules = createAddressRules([], () => ['127.0.0.1', '93.184.216.34', '2606:4700:0::1111', 'fe80::1%eth0']);
    expect(rules.refuse('93.184.216.34')).toBe('own');
    expect(rules.refuse('2606:4700:0:0:0:0:0:1111')).toBe('own');
    expect(rules.refuse('93.184.216.35')).toBeNull();
  });
});

describe('an allowed block', () => {
  it('allows its addresses and no others', () => {
    const rules = createAddressRules(['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1/32'], () => []);
    expect(['10.1.0.0', '10.1.255.255', 'fd00:1::5', '127.0.0.1'].filter((address) => rules.refuse(address) !== null)).toEqual(
      [],
    );
    expect(
      ['10.0.255.255', '10.2.0.0', 'fd00:2::5', '127.0.0.2', '::1'].filter((address) => rules.refuse(address) === null),
    ).toEqual([]);
  });

  it('allows a public address of this machine', () => {
    expect(createAddressRules(['93.184.216.34/32'], () => ['93.184.216.34']).refuse('93.184.216.34')).toBeNull();
  });

  it('does not allow the IPv6 forms of its IPv4 addresses', () => {
    const rules = createAddressRules(['127.0.0.0/8', '10.0.0.0/8'], () => []);
    const forms = [
      '::ffff:127.0.0.1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
      '64:ff9b::10.0.0.1',
      '2002:a00:1::1',
      '2600::5efe:10.0.0.1',
    ];
    expect(forms.filter((address) => rules.refuse(address) === null)).toEqual([]);
  });

  it('of a translator or tunnel allows only embedded addresses that are allowed themselves', () => {
    const blocks = ['64:ff9b::/96', '::ffff:0:0/96', '2002::/16', '2001::/32', '2600::/16', '::/96', '::ffff:0:0:0/96'];
    const rules = createAddressRules([...blocks, '192.168.7.0/24'], () => ['93.184.216.34']);
    const reachable = [
      '64:ff9b::8.8.8.8',
      '64:ff9b::192.168.7.1',
      '::ffff:8.8.8.8',
      '2002:808:808::1',
      '2001::f7f7:f7f7',
      '::8.8.8.8',
    ];
    expect(reachable.filter((address) => rules.refuse(address) !== null)).toEqual([]);
    const hidden = [
      '64:ff9b::127.0.0.1',
      '64:ff9b::192.168.8.1',
      '::ffff:10.0.0.1',
      '2002:a9fe:a9fe::1',
      '2001::80ff:fffe',
      '::10.0.0.1',
    ];
    const more = ['::ffff:0:10.0.0.1', '2600::5efe:10.0.0.1', '64:ff9b::93.184.216.34'];
    expect([...hidden, ...more].filter((address) => rules.refuse(address) === null)).toEqual([]);
  });

  it('of everything still blocks IPv6 forms of blocked IPv4 addresses', () => {
    const rules = createAddressRules(['::/0'], () => []);
    expect(rules.refuse('::1')).toBeNull();
    fc.assert(
      fc.property(fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'), fc.ipV4(), (prefix, address) => {
        const behind = rules.refuse(address);
        const isOneOfIpv6 = prefix === '::' && (address === '0.0.0.0' || address === '0.0.0.1');
        if (!isOneOfIpv6) expect(rules.refuse(prefix + address) === null).toBe(behind === null);
      }),
    );
  });
});
