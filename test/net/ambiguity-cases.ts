import { framing, post } from './ambiguity-framing.ts';

type Lines = readonly string[];

const path = '/v2/task.list';

function get(lines: Lines, target = path, version = 'HTTP/1.1'): string {
  return [`GET ${target} ${version}`, ...lines, '', ''].join('\r\n');
}

const host = 'host: errand.test';

const hosts = [
  '',
  ' ',
  'a b',
  'a,b',
  'a/b',
  'http://a',
  'a@b',
  'a\tb',
  'a;b',
  'a?b',
  'a#b',
  'a\\b',
  '"a"',
  '<a>',
  'a|b',
  'a^b',
  'a`b',
  'a{b}',
  'ü',
  '\u00a0a',
];

const oddTargets = [
  `http://errand.test${path}`,
  `https://errand.test${path}`,
  `http://evil.test${path}`,
  `HTTP://errand.test${path}`,
  `http:${path}`,
  `errand.test:80`,
  `evil.test${path}`,
  '*',
  `?limit=1`,
  `#${path}`,
  `\\v2\\task.list`,
  `//errand.test${path}`,
  `//${path.slice(1)}`,
  `/.${path}`,
  `/..${path}`,
  `/v2/../v2/task.list`,
  `/v2//task.list`,
  `/v2/./task.list`,
  `/v2%2ftask.list`,
  `/v2/task.list%00`,
  `/v2/task.list%0d%0a`,
  `/v2/task.list%20`,
  `/v2/task.list/`,
  `/v2/task.list;a=b`,
  `/V2/task.list`,
  `/v2/TASK.LIST`,
  `/v2/task%2elist%`,
  `/v2/task.list%zz`,
  `/v2/task.list?limit=%zz`,
  `/v2/task.list?limit=1&limit=2`,
  `/v2/task.list?limit=1&limit=1`,
  `/v2/task.list?limit=1&%6cimit=2`,
  `/v2/task.list?limit=1,2`,
  `/v2/task.list?limit=+1`,
  `/v2/task.list?limit=1%00`,
  `/v2/task.list?limit=%31%30%30%30`,
  `/v2/task.list?order=asc&order=desc`,
  `/v2/task.list?cursor=a&cursor=b`,
  `/v2/task.list?limit=0x5`,
  `/v2/task.list?limit=1e1`,
  `/v2/task.list?limit=%EF%BC%95`,
];

const oddLines = [
  `GET\t${path}\tHTTP/1.1`,
  ` GET ${path} HTTP/1.1`,
  `GET ${path} HTTP/1.1 `,
  `GET ${path} HTTP/1.1 x`,
  `GET ${path} http/1.1`,
  `GET ${path} HTTP/2.0`,
  `GET ${path} HTTP/0.9`,
  `GET ${path} HTTP/1.10`,
  `GET ${path} HTTP/11`,
  `GET ${path} HTTPS/1.1`,
  `GET ${path} ICE/1.0`,
  `GET ${path}`,
  `GET`,
  `get ${path} HTTP/1.1`,
  `GeT ${path} HTTP/1.1`,
  `GET\u0000 ${path} HTTP/1.1`,
  `G\u00cbT ${path} HTTP/1.1`,
  `POST ${path} HTTP/1.1`,
  `TRACE ${path} HTTP/1.1`,
  `CONNECT ${path} HTTP/1.1`,
  `PROPFIND ${path} HTTP/1.1`,
  `GET ${path}\u0000 HTTP/1.1`,
  `GET /v2/task\u007f.list HTTP/1.1`,
  `GET /v2/täsk.list HTTP/1.1`,
];

/** Headers of which one counts, given twice or in a folded, split or damaged form. */
function headers(key: string): [string, string][] {
  const doubled = [
    [host, host],
    [host, 'host: other.test'],
    [host, 'Host: errand.test'],
    [host, key, key],
    [host, key, key.replace('x-service', 'X-Service')],
    [host, key, 'x-manus-api-key: sk-other'],
    [host, 'x-manus-api-key: sk-other', key],
    [host, key, 'authorization: Bearer abc'],
    [host, 'authorization: Bearer abc', key],
    [host, key, 'authorization:'],
    [host, key, 'authorization: Basic YTpi'],
    [host, 'authorization: Bearer abc', 'authorization: Bearer abc'],
    [host, 'authorization: Bearer abc, Bearer def'],
    [host, key, 'content-encoding: gzip'],
    [host, key, 'content-type: a/b', 'content-type: application/json'],
    [host, key, 'idempotency-key: a', 'idempotency-key: b'],
    [host, key, 'last-event-id: a', 'last-event-id: b'],
    [host, key, 'x-errand-account: a', 'x-errand-account: b'],
  ];
  const damaged = [
    `${key}\r\n folded`,
    `${key}\u0000`,
    'x: a\u0000b',
    'x\u0000: b',
    'x y: b',
    ': b',
    'x',
    'x\r: b',
    'x: b\rc',
    '(x): b',
    'x@y: b',
    'x=y: b',
    'ä: b',
    `x: ${'a'.repeat(17_000)}`,
    `${'x'.repeat(17_000)}: a`,
  ];
  return [
    ...doubled.map((lines): [string, string] => [`headers ${lines.join(' | ').replaceAll(key, 'KEY')}`, get(lines)]),
    ...hosts.map((value): [string, string] => [`host ${JSON.stringify(value)}`, get([`host: ${value}`, key])]),
    ...damaged.map((line): [string, string] => [
      `header ${JSON.stringify(line.slice(0, 40).replaceAll(key, 'KEY'))}`,
      get([host, key, line]),
    ]),
    ['no host', get([key])],
  ];
}

/** Request lines: targets that are no paths, and lines that some complete. */
function targets(key: string): [string, string][] {
  const forms = oddTargets.map((target): [string, string] => [`target ${target}`, get([host, key], target)]);
  const lines = oddLines.map((line): [string, string] => [
    `line ${JSON.stringify(line)}`,
    `${line}\r\n${host}\r\n${key}\r\n\r\n`,
  ]);
  return [...forms, ...lines];
}

/** Bodies whose meaning depends on the reader. */
function bodies(key: string): [string, string][] {
  const send = (lines: Lines, body: string) =>
    post([key, ...lines, `content-length: ${Buffer.byteLength(body, 'latin1')}`], body);
  const texts = [
    '',
    ' ',
    '{',
    '{}{}',
    '[]',
    'null',
    '"a"',
    '1',
    '\ufeff{}',
    '{}\u0000',
    "{'a':1}",
    '{a:1}',
    '{"a":1,}',
    'NaN',
    '// a\n{}',
    '{"a":\u00ff}',
    '--',
  ];
  const types = [
    'text/json',
    'application/json2',
    'application/jsonp',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json, text/plain',
    'application/json;charset=utf-16',
    '"application/json"',
    '',
  ];
  return [
    ...texts.map((body): [string, string] => [`body ${JSON.stringify(body)}`, send([], body)]),
    ...types.map((type): [string, string] => [
      `type ${JSON.stringify(type)}`,
      `POST /v2/task.stop HTTP/1.1\r\n${host}\r\n${key}\r\ncontent-type: ${type}\r\ncontent-length: 2\r\n\r\n{}`,
    ]),
    ['gzip', send(['content-encoding: gzip'], '{}')],
    ['chunks of gzip', post([key, 'transfer-encoding: gzip, chunked'], '0\r\n\r\n')],
    ['brotli', send(['content-encoding: br'], '{}')],
    ['identity and gzip', send(['content-encoding: identity, gzip'], '{}')],
    ['an unknown expectation', send(['expect: 200-ok'], '{}')],
  ];
}

/** A request that two readers could take for different ones. */
export interface AmbiguousCase {
  name: string;
  request: Buffer;
  /** Whether readers could disagree on where it ends, so that what follows on the connection must not be read at all. */
  isFraming: boolean;
}

/** @param key the header line of a good API key: nothing here is refused for lack of one. */
export function ambiguousCases(key: string): AmbiguousCase[] {
  const of =
    (isFraming: boolean) =>
    ([name, text]: [string, string]) => ({ name, request: Buffer.from(text, 'latin1'), isFraming });
  return [...framing(key).map(of(true)), ...[...headers(key), ...targets(key), ...bodies(key)].map(of(false))];
}
