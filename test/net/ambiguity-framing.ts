const host = 'host: errand.test';

/** A POST with these header lines beside those that every one has. */
export function post(lines: readonly string[], body: string): string {
  return ['POST /v2/task.stop HTTP/1.1', host, 'content-type: application/json', ...lines, '', body].join('\r\n');
}

const encodings = [
  'chunked, chunked',
  'identity',
  'chunked, identity',
  'xchunked',
  ' chunked,',
  '"chunked"',
  'chunked;q=1',
  'chun ked',
  'chunked\u000b',
  '\u0000chunked',
  'cow',
  '',
];
const lengths = ['2, 2', '+2', '-2', '0x2', '2.0', '2e0', ' 2 2', '2;', '"2"', '', 'two', '٢', '9'.repeat(30), '2\u000b'];

/** Framing: how long the body is, said twice or in a way that some read and others do not. */
export function framing(key: string): [string, string][] {
  const chunked = '0\r\n\r\n';
  const both = [
    'Transfer-Encoding: chunked',
    'transfer-encoding: Chunked',
    'TRANSFER-ENCODING: chunked',
    'transfer-encoding:chunked',
  ];
  const broken = [
    'Transfer-Encoding : chunked',
    ' Transfer-Encoding: chunked',
    'Transfer-Encoding\t: chunked',
    'Transfer_Encoding : chunked',
    'X: y\r\n Transfer-Encoding: chunked',
    'Transfer-Encoding\r\n: chunked',
    'X: y\nTransfer-Encoding: chunked',
    'X: y\rTransfer-Encoding: chunked',
    'Content-Length : 2',
    'Content\u0000-Length: 2',
  ];
  return [
    ...encodings.map((value): [string, string] => [
      `encoding ${JSON.stringify(value)}`,
      post([key, `transfer-encoding: ${value}`], chunked),
    ]),
    ...lengths.map((value): [string, string] => [
      `length ${JSON.stringify(value)}`,
      post([key, `content-length: ${value}`], '{}'),
    ]),
    ...both.map((line): [string, string] => [`length before ${line}`, post([key, 'content-length: 2', line], chunked)]),
    ...both.map((line): [string, string] => [`${line} before length`, post([key, line, 'content-length: 2'], chunked)]),
    ...broken.map((line): [string, string] => [`header ${JSON.stringify(line)}`, post([key, line, 'content-length: 2'], '{}')]),
    ['two lengths that agree', post([key, 'content-length: 2', 'content-length: 2'], '{}')],
    ['two lengths that differ', post([key, 'content-length: 2', 'content-length: 3'], '{}')],
    ['two encodings', post([key, 'transfer-encoding: chunked', 'transfer-encoding: identity'], chunked)],
    ['a chunk of a negative size', post([key, 'transfer-encoding: chunked'], '-1\r\n\r\n')],
    ['a chunk of a hexadecimal prefix', post([key, 'transfer-encoding: chunked'], '0x2\r\n{}\r\n0\r\n\r\n')],
    ['a chunk of an endless size', post([key, 'transfer-encoding: chunked'], `${'f'.repeat(17)}\r\n{}\r\n`)],
    ['a chunk with a space before its end', post([key, 'transfer-encoding: chunked'], '2 x\r\n{}\r\n0\r\n\r\n')],
    ['a chunk with a bare line feed', post([key, 'transfer-encoding: chunked'], '2\n{}\n0\n\n')],
    ['a chunk longer than it says', post([key, 'transfer-encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n')],
    ['a chunk extension with a line feed', post([key, 'transfer-encoding: chunked'], '2;a\n=b\r\n{}\r\n0\r\n\r\n')],
    [
      'HTTP/1.0 with chunks',
      `POST /v2/task.stop HTTP/1.0\r\n${host}\r\n${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
    ],
  ];
}
