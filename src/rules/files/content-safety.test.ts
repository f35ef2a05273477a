import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanContentType, contentHeaders, writeDisposition } from './content-safety.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

it.each([
  ['image/png', 'inline'],
  ['IMAGE/JPEG; q=1', 'inline'],
  ['text/plain', 'inline'],
  ['text/html', 'attachment'],
  ['image/svg+xml', 'attachment'],
  ['application/pdf', 'attachment'],
  ['application/xhtml+xml', 'attachment'],
  ['text/xml', 'attachment'],
  ['application/javascript', 'attachment'],
  ['multipart/x-mixed-replace', 'attachment'],
  ['', 'attachment'],
])('%s is served as %s, in a sandbox without an origin and without sniffing', (contentType, kind) => {
  const headers = contentHeaders('a.b', contentType);
  expect(headers['content-disposition']?.split(';')[0]).toBe(kind);
  expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it('content types that are invalid in a header become the generic one', () => {
  expect(cleanContentType('text/html\r\nset-cookie: a=b')).toBe('application/octet-stream');
  expect(cleanContentType('image/png')).toBe('image/png');
  expect(cleanContentType('Text/CSV; header=present')).toBe('text/csv; charset=utf-8');
});

it('a filename cannot break out of its header, and can be decoded unchanged', () => {
  expect(writeDisposition('attachment', 'Bericht "März".pdf')).toBe(
    `attachment; filename="Bericht _M_rz_.pdf"; filename*=UTF-8''Bericht%20%22M%C3%A4rz%22.pdf`,
  );
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (name) => {
      const header = writeDisposition('inline', name);
      expect(header).toMatch(/^inline; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/);
      expect(decodeURIComponent(header.split("''")[1] ?? '')).toBe(name.toWellFormed());
    }),
  );
});
