import { zipSync } from 'fflate';
import fc from 'fast-check';
import hljs from 'highlight.js/lib/core';
import typescript from 'highlight.js/lib/languages/typescript';
import { expect, it } from 'vitest';
import { readHighlighted, splitPlainLines } from './code/code-lines.ts';
import { decodeText } from './files/decode-text.ts';
import { PreviewFault } from './files/preview-fault.ts';
import { chooseKind } from './files/preview-kind.ts';
import { checkUnpackedSize, readZipDirectory } from './files/zip-directory.ts';

it('chooses a preview by filename, and by type if the name is not specific', () => {
  const kindOf = (filename: string, contentType = '', kind?: string) =>
    chooseKind({ filename, contentType, ...(kind && { kind }) });
  expect([
    kindOf('a.MD'),
    kindOf('Dockerfile'),
    kindOf('x.tar.gz'),
    kindOf('deck.html'),
    kindOf('deck.html', '', 'slides'),
  ]).toEqual(['markdown', 'code', 'none', 'page', 'deck']);
  expect([
    kindOf('x', 'image/png'),
    kindOf('x', 'image/tiff'),
    kindOf('x', 'text/CSV; charset=utf-8'),
    kindOf('__proto__'),
  ]).toEqual(['image', 'none', 'table', 'none']);
});

it('highlighting never changes a text or produces markup', () => {
  hljs.registerLanguage('typescript', typescript);
  const pieces = fc.constantFrom(
    '<b>',
    '</span>',
    '"',
    "'",
    '&amp;',
    '&',
    '\n',
    '\r\n',
    'const x = 1;',
    '/* ',
    ' */',
    '`${',
    '<span class="x">',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      const read = readHighlighted(hljs.highlight(text, { language: 'typescript', ignoreIllegals: true }).value);
      const join = (lines: typeof read) => lines.map((line) => line.map((piece) => piece.text).join(''));
      expect(join(read)).toEqual(join(splitPlainLines(text)));
    }),
  );
});

it('detects the encoding of texts', () => {
  const utf16 = Uint8Array.from([0xff, 0xfe, 0x41, 0, 0xe9, 0]);
  expect([decodeText(Buffer.from('é')), decodeText(Uint8Array.from([0xe9, 0x21])), decodeText(utf16)]).toEqual(['é', 'é!', 'Aé']);
  expect(decodeText(Buffer.from('日本').subarray(0, 5))).toBe('日');
});

it('lists a zip file without unpacking it, and rejects files that would become too large', () => {
  const bomb = zipSync({ 'zeros.bin': new Uint8Array(5_000_000), 'folder/a.txt': new Uint8Array(3) });
  expect(readZipDirectory(bomb).map(({ name, bytes }) => [name, bytes])).toEqual([
    ['zeros.bin', 5_000_000],
    ['folder/a.txt', 3],
  ]);
  expect(() => checkUnpackedSize(bomb, 1_000_000)).toThrow(new PreviewFault('tooLarge'));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(bomb.length), (noise, at) => {
      const damaged = Uint8Array.from(bomb);
      damaged.set(noise.subarray(0, damaged.length - at), at);
      try {
        expect(readZipDirectory(damaged).length).toBeLessThan(10_000);
      } catch (error) {
        expect(error).toBeInstanceOf(PreviewFault);
      }
    }),
  );
});
