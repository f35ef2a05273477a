import type { DnsAnswer, Question } from './dns-server.ts';

/** Hosts, as they may stand in a URL, that must never be dialled; each group with its reason. */
export const closedHosts: Readonly<Record<string, readonly string[]>> = {
  'loopback in every spelling': [
    ...[
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '127.0.1',
      '127.1.2.3',
      '127.255.255.254',
      '2130706433',
      '0x7f000001',
      '0x7F.1',
      '0x7f.0x0.0x0.0x1',
    ],
    ...[
      '0177.0.0.1',
      '017700000001',
      '0177.0x0.0.1',
      '127.0.0.0x1',
      '127.000.000.001',
      '00000177.1',
      '%31%32%37.0.0.1',
      '127%2e0%2e0%2e1',
    ],
    ...['①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '1\t27.0.0.1', '127.0.0.1\n'],
  ],
  'names of this machine': [
    'localhost',
    'LOCALHOST',
    'LocalHost',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'ⓛocalhost',
  ],
  'this network': ['0', '0.0.0.0', '0x0', '00000', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]'],
  'IPv6 loopback': ['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0.0.0.1]', '[::0001]'],
  'IPv4 inside IPv6': [
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::FFFF:7F00:0001]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      '[::ffff:169.254.169.254]',
      '[::ffff:10.0.0.1]',
    ],
    ...['[::127.0.0.1]', '[::7f00:1]', '[::169.254.169.254]', '[::ffff:0:127.0.0.1]', '[::ffff:8.8.8.8]'],
  ],
  'translators and tunnels': [
    ...[
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b::a9fe:a9fe]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::1]',
      '[2002:a9fe:a9fe::]',
    ],
    ...['[2001:0:4136:e378:8000:63bf:80ff:fffe]', '[2600::5efe:7f00:1]', '[2600:1:2:3:200:5efe:a00:1]'],
  ],
  'cloud metadata': [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.43518',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[fe80::a9fe:a9fe]',
  ],
  'private networks': [
    '10.0.0.1',
    '10.1',
    '0xa.1',
    '012.0.0.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1',
    '0xc0a80001',
    '100.64.0.1',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fec0::1]',
  ],
  'link-local addresses': ['169.254.0.1', '[fe80::1]', '[febf::1]'],
  'special purposes': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '192.88.99.1',
    '240.0.0.1',
    '255.255.255.255',
    '224.0.0.1',
    '4294967295',
    '[ff02::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
};

/** Those that lead to this very machine wherever they are tried. */
export const machineHosts = ['loopback in every spelling', 'names of this machine', 'this network', 'IPv6 loopback'].flatMap(
  (group) => closedHosts[group] ?? [],
);

/** URLs that are wrong before any host is looked at. */
export const closedUrls: Readonly<Record<string, readonly string[]>> = {
  'other schemes': [
    'file:///etc/passwd',
    'file://localhost/etc/passwd',
    'data:text/plain,x',
    'gopher://example.test/_x',
    'ftp://example.test/',
    'ws://example.test/',
    'wss://example.test/',
    'unix:/run/docker.sock',
    'javascript:1',
    'blob:https://example.test/1',
    'about:blank',
    'http+unix://%2frun%2fdocker.sock/',
  ],
  credentials: [
    'https://user@public.test/',
    'https://user:password@public.test/',
    'https://:password@public.test/',
    'https://public.test@127.0.0.1/',
    'https://public.test%40x@127.0.0.1/',
    'https://a:b@[::1]/',
    'https:\\\\user@public.test/',
  ],
  'no URL': [
    '',
    ' ',
    'public.test',
    '//public.test/',
    '/path',
    'https://',
    'https:///',
    'https://[::1',
    'https://[::1%25lo]/',
    'https://[fe80::1%eth0]/',
    'https://[v1.x]/',
    'https://256.1.1.1/',
    'https://1.2.3.4.5/',
    'https://0x100000000/',
    'https://a b/',
    'https://public.test:65536/',
    'https://public.test:x/',
    'https://pub\u0000lic.test/',
    'https://exa%00mple.test/',
  ],
  'ports of other protocols': [
    'https://public.test:0/',
    'https://public.test:22/',
    'https://public.test:25/',
    'https://public.test:53/',
    'https://public.test:6000/',
    'https://public.test:6667/',
    'https://public.test:00025/',
    'https://93.184.216.34:587/',
  ],
};

/** Hosts that lead to public addresses, and the address. */
export const openHosts: Readonly<Record<string, string>> = {
  '93.184.216.34': '93.184.216.34',
  '0x5db8d822': '93.184.216.34',
  '1572395042': '93.184.216.34',
  '[2606:2800:220:1:248:1893:25c8:1946]': '2606:2800:220:1:248:1893:25c8:1946',
  'public.test': '93.184.216.34',
  'PUBLIC.test.': '93.184.216.34',
  'six.test': '2606:2800:220:1:248:1893:25c8:1946',
  'alias.test': '93.184.216.34',
  'many.test': '93.184.216.34',
};

export const publicFour = '93.184.216.34';
const publicSix = '2606:2800:220:1:248:1893:25c8:1946';

/** What the names of the tests lead to. */
const zone: Readonly<Record<string, { addresses: readonly string[]; alias?: string }>> = {
  'public.test': { addresses: [publicFour] },
  'six.test': { addresses: [publicSix] },
  'alias.test': { addresses: [publicFour], alias: 'public.test' },
  'many.test': { addresses: [publicFour, '93.184.216.35', publicSix] },
  'loopback.test': { addresses: ['127.0.0.1'] },
  'loopback6.test': { addresses: ['::1'] },
  'private.test': { addresses: ['10.0.0.1'] },
  'metadata.test': { addresses: ['169.254.169.254'] },
  'mapped.test': { addresses: ['::ffff:7f00:1'] },
  'nat64.test': { addresses: ['64:ff9b::7f00:1'] },
  'alias-private.test': { addresses: ['192.168.0.1'], alias: 'router.test' },
  'mixed.test': { addresses: [publicFour, '127.0.0.1'] },
  'mixed-last.test': { addresses: [publicFour, '93.184.216.35', '93.184.216.36', '93.184.216.37', '93.184.216.38', '10.0.0.1'] },
  'mixed-families.test': { addresses: [publicFour, '::1'] },
};

/** Names whose addresses must not be dialled, some of them only because one of the addresses must not. */
export const closedNames = Object.keys(zone).filter((name) => !(name in openHosts));

/** Public when asked for the first time, this machine ever after. */
export const rebindingName = 'rebinding.test';

export function answerForms({ name, type, nth }: Question): DnsAnswer {
  if (name === rebindingName) return { addresses: type === 'A' ? [nth === 1 ? publicFour : '127.0.0.1'] : [] };
  return zone[name] ?? 'unknown';
}
