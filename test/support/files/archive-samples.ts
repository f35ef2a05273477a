import { deflateRawSync, gzipSync } from 'node:zlib';
import { paxPart, tar, tarHeader, zip } from './archive-writer.ts';

export interface ArchiveSample {
  about: string;
  bytes: Buffer;
  name: string;
  /** The expected files in the folder, by path. */
  files: Record<string, string>;
  /** Names that must be reported as skipped. */
  leftOut?: string[];
  /** Part of the message that rejects the whole archive. */
  refused?: RegExp;
}

const mebibyte = 1024 * 1024;
const good = { name: 'good.txt', content: 'good' };
const goodFile = { 'good.txt': 'good' };

/** Paths that must not lead anywhere. */
const badNames = [
  '../escape.txt',
  '../../../../../../tmp/escape.txt',
  'a/../../escape.txt',
  'a/b/../../../escape.txt',
  '/etc/escape.txt',
  '//server/share/escape.txt',
  '/workspace/../escape.txt',
  'C:\\escape.txt',
  'C:/escape.txt',
  '..\\escape.txt',
  'a\\..\\..\\escape.txt',
  '\\\\server\\share\\escape.txt',
  'nul\0.txt',
  'line\nbreak.txt',
  'right\u202eleft.txt',
  'CON',
  'aux.txt',
  'trailing.',
  `${'n'.repeat(300)}.txt`,
  'a/'.repeat(5000).concat('deep.txt'),
  `${'d/'.repeat(40)}deep.txt`,
];

function hostileNames(): ArchiveSample[] {
  return badNames.map((name) => ({
    about: `a zip with the path ${JSON.stringify(name.slice(0, 40))}`,
    bytes: zip([{ name, content: 'bad' }, good]),
    name: 'a.zip',
    files: goodFile,
    leftOut: [name],
  }));
}

function hostileTarNames(): ArchiveSample[] {
  return badNames.map((name) => ({
    about: `a tar with the path ${JSON.stringify(name.slice(0, 40))}`,
    bytes: gzipSync(tar([paxPart('path', name), { name: 'short', content: 'bad' }, good])),
    name: 'a.tar.gz',
    files: goodFile,
    leftOut: [name],
  }));
}

const link = (mode: number, name: string, content: string) => ({ name, content, mode, method: 0 as const });

const hostileKinds: readonly ArchiveSample[] = [
  {
    about: 'a zip with a link out of the folder, and a file behind it',
    bytes: zip([link(0o120777, 'link', '/etc'), { name: 'link/passwd', content: 'x' }, good]),
    name: 'a.zip',
    files: { ...goodFile, 'link/passwd': 'x' },
    leftOut: ['link'],
  },
  {
    about: 'a zip with a device and a pipe',
    bytes: zip([link(0o020666, 'device', ''), link(0o010666, 'pipe', ''), good]),
    name: 'a.zip',
    files: goodFile,
    leftOut: ['device', 'pipe'],
  },
  {
    about: 'a tar with links, hard links and devices',
    bytes: tar([
      { name: 'soft', type: '2', link: '../../etc/passwd' },
      { name: 'hard', type: '1', link: '/etc/shadow' },
      { name: 'soft/inside', content: 'x' },
      { name: 'null', type: '3' },
      { name: 'fifo', type: '6' },
      good,
    ]),
    name: 'a.tar',
    files: { ...goodFile, 'soft/inside': 'x' },
    leftOut: ['soft', 'hard', 'null', 'fifo'],
  },
  {
    about: 'a tar whose long name is that of a GNU entry',
    bytes: tar([{ name: '././@LongLink', type: 'L', content: '../../escape.txt\0' }, { name: 'short', content: 'bad' }, good]),
    name: 'a.tar',
    files: goodFile,
    leftOut: ['../../escape.txt'],
  },
  {
    about: 'a zip whose entries differ in case and accents only',
    bytes: zip([
      { name: 'README', content: '1' },
      { name: 'readme', content: '2' },
      { name: 'caf\u00e9', content: '3' },
      { name: 'cafe\u0301', content: '4' },
    ]),
    name: 'a.zip',
    files: { README: '1', 'caf\u00e9': '3' },
    leftOut: ['readme', 'cafe\u0301'],
  },
  {
    about: 'a zip in which a file and a folder have one name',
    bytes: zip([{ name: 'a/b', content: '1' }, { name: 'a', content: '2' }, { name: 'a/b/c', content: '3' }, good]),
    name: 'a.zip',
    files: { ...goodFile, 'a/b': '1' },
    leftOut: ['a', 'a/b/c'],
  },
  {
    about: 'a zip with an encrypted entry',
    bytes: zip([{ name: 'secret', content: 'x', isEncrypted: true }, good]),
    name: 'a.zip',
    files: goodFile,
    leftOut: ['secret'],
  },
  {
    about: 'a zip with the same path twice',
    bytes: zip([
      { name: 'x', content: '1' },
      { name: './x', content: '2' },
      { name: 'x', content: '3' },
    ]),
    name: 'a.zip',
    files: { x: '1' },
    leftOut: ['./x', 'x'],
  },
];

/** Zeros, packed a thousandfold. */
const zeros = deflateRawSync(Buffer.alloc(64 * mebibyte));
const tooMuch = /unpacks to more than|refused/;

function bombs(): ArchiveSample[] {
  const bomb = (about: string, bytes: Buffer, refused = tooMuch, name = 'a.zip'): ArchiveSample => ({
    about,
    bytes,
    name,
    files: {},
    refused,
  });
  const flat = zip([{ name: 'zeros', packed: zeros, size: 64 * mebibyte, crc: 0 }]);
  const kernel = { packed: zeros, size: 64 * mebibyte, method: 8 as const, crc: 0 };
  const ten = Array.from({ length: 10 }, (_, index) => ({ name: `z${index}`, ...kernel }));
  return [
    bomb('a flat bomb', flat),
    bomb('a bomb of many entries', zip(ten)),
    bomb('a bomb that says it is small', zip([{ name: 'lie', packed: zeros, size: 10 }]), /damaged|unpacks|refused/),
    bomb('a bomb that says it is empty', zip([{ name: 'lie', packed: zeros, size: 0 }]), /damaged|unpacks|refused/),
    bomb('entries that overlap', zip([{ name: 'a', ...kernel }, ...ten.map((part) => ({ ...part, offset: 0 }))]), /overlap/),
    bomb(
      'more entries than an archive may have',
      zip(Array.from({ length: 10_001 }, (_, index) => ({ name: `f${index}`, method: 0 as const }))),
      /10000 entries/,
    ),
    bomb('a directory that says it has more entries than it has', zip([good], { entries: 9 }), /damaged/),
    bomb('a packed tar of zeros', gzipSync(tar([{ name: 'zeros', content: Buffer.alloc(64 * mebibyte) }])), tooMuch, 'a.tgz'),
    bomb('a tar that says a file has eight gigabytes', tar([{ name: 'huge', size: 8 ** 11 - 1 }]), /damaged/, 'a.tar'),
    bomb(
      'a tar whose name has a gigabyte',
      gzipSync(Buffer.concat([tarHeader({ name: 'L', type: 'L', size: 2 ** 30 }), Buffer.alloc(32 * mebibyte)])),
      /name in it is too long/,
      'a.tgz',
    ),
    bomb(
      'a tar of nothing but headers',
      gzipSync(Buffer.concat(Array.from({ length: 10_001 }, () => tarHeader({ name: 'empty' })))),
      /entries/,
      'a.tgz',
    ),
    bomb('gzip of zeros', gzipSync(Buffer.alloc(64 * mebibyte)), tooMuch, 'a.gz'),
    bomb('gzip that breaks off', gzipSync(Buffer.from('text '.repeat(100_000))).subarray(0, 500), /damaged/, 'a.gz'),
    bomb('a tar with a wrong check sum', tar([{ name: 'x', content: 'x', isBroken: true }]), /damaged/, 'a.tar'),
    bomb('a zip without its end', zip([good]).subarray(0, 40), /damaged/),
    bomb('a zip whose content does not fit its sum', zip([{ name: 'x', content: 'x', size: 5 }]), /damaged/),
    {
      about: 'a bomb inside an archive, which is a file like any other',
      bytes: zip([{ name: 'inner.zip', content: 'PK', method: 0 }, good]),
      name: 'a.zip',
      files: { ...goodFile, 'inner.zip': 'PK' },
    },
  ];
}

export function hostileArchives(): ArchiveSample[] {
  return [...hostileNames(), ...hostileTarNames(), ...hostileKinds, ...bombs()];
}
