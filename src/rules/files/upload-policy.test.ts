import { describe, expect, it } from 'vitest';
import { chooseContentType, fileStatusAt, readFilename, uploadLimits } from './upload-policy.ts';

describe('the filename of an upload', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['  Zahlen März.xlsx ', 'Zahlen März.xlsx'],
    ['C:\\Users\\me\\a.csv', 'a.csv'],
    ['/etc/passwd', 'passwd'],
    ['../../x.txt', 'x.txt'],
    ['.env', '.env'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['script.py', 'script.py'],
    ['sh', 'sh'],
    ['<b>"x"</b> %.html', 'b> %.html'],
  ])('%j becomes %j', (given, name) => {
    expect(readFilename('filename', given)).toBe(name);
  });

  it.each(['', '   ', '..', 'a/', 'x\u0000.txt', 'a\nb.txt', 'invoice\u202Efdp.exe', 'x'.repeat(256), '\ud800.txt'])(
    '%j is not a valid name',
    (given) => {
      expect(() => readFilename('filename', given)).toThrow(/^filename: /);
    },
  );

  it.each(['a.exe', 'A.EXE', 'a.sh', 'a.bat', 'a.dmg', 'a.exe.', 'a.exe ', 'a.pdf.exe', 'a.ps1', 'a.jar', 'a.lnk', 'a.SH .'])(
    '%j is rejected as an executable',
    (given) => {
      expect(() => readFilename('message.content[0].filename', given)).toThrow(
        /^message\.content\[0\]\.filename: files of type \.\w+ are not accepted/,
      );
    },
  );
});

it.each([
  ['a.pdf', undefined, 'application/pdf'],
  ['a.csv', 'text/plain;charset=UTF-8', 'text/csv'],
  ['a.zzz', 'text/x-special; charset=utf-8', 'text/x-special'],
  ['a.zzz', 'application/x-www-form-urlencoded', 'application/octet-stream'],
  ['a.zzz', 'garbage', 'application/octet-stream'],
  ['a', 'text/html\r\nx: y', 'application/octet-stream'],
  ['a', undefined, 'application/octet-stream'],
])('the type of %s sent as %j is %s', (filename, given, type) => {
  expect(chooseContentType(filename, given)).toBe(type);
});

it('the status of a file depends on time alone', () => {
  const times = { uploadEndsAtMs: 1000, expiresAtMs: 9e9 } as const;
  const tooLate = 1000 + uploadLimits.transferMs;
  expect(fileStatusAt({ ...times, status: 'pending' }, tooLate - 1)).toBe('pending');
  expect(fileStatusAt({ ...times, status: 'pending' }, tooLate)).toBe('error');
  expect(fileStatusAt({ ...times, status: 'uploaded' }, 9e9 - 1)).toBe('uploaded');
  expect(fileStatusAt({ ...times, status: 'uploaded' }, 9e9)).toBe('deleted');
  expect(fileStatusAt({ ...times, status: 'deleted' }, 0)).toBe('deleted');
});
