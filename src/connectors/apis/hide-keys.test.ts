import { describe, expect, it } from 'vitest';
import { hideKeys } from './hide-keys.ts';
import { readReply } from './api-reply.ts';

const key = 'sk/a~b +"é\\12';
const keys = { 'X-Api-Key': key };
const json = JSON.stringify(key).slice(1, -1);
const percent = encodeURIComponent(key);

describe('a key in an answer', () => {
  it.each([
    ['as it is', key],
    ['in JSON', json],
    ['in JSON with slashes escaped', json.replaceAll('/', '\\/')],
    [
      'in JSON with all escaped',
      key
        .split('')
        .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    ],
    ['in an address', percent],
    ['in an address with small letters', percent.toLowerCase()],
    ['in an address with a little escaped', encodeURI(key)],
    ['in a form', new URLSearchParams({ key }).toString().slice(4)],
    ['in HTML', key.replaceAll('"', '&quot;').replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')],
  ])('is hidden %s', (_, written) => {
    expect(hideKeys(`{"é": "${written}", "\\u0041%41": "${written}${written}"} é+%2f`, keys)).toBe(
      '{"é": "[key]", "\\u0041%41": "[key][key]"} é+%2f',
    );
  });

  it('of a basic sign-in is hidden with its password, of a bearer without its name', () => {
    const basic = { Authorization: `Basic ${Buffer.from('ada:pass word é').toString('base64')}` };
    expect(hideKeys('ada: pass word é, pass+word+%c3%a9, ada:pass word é', basic)).toBe('ada: [key], [key], [key]');
    expect(hideKeys('x 0123456789 y', { Authorization: 'Bearer 0123456789' })).toBe('x [key] y');
  });

  it('is left where it is shorter than eight characters', () => {
    const basic = { Authorization: `Basic ${Buffer.from('ada:true').toString('base64')}` };
    expect(hideKeys('{"a":true}', basic)).toBe('{"a":true}');
  });

  it('is hidden once where keys overlap', () => {
    expect(hideKeys('.%61bcdefgh%69j%6b.', { a: 'abcdefgh', b: 'defghijk' })).toBe('.[key].');
  });
});

describe('an answer', () => {
  const read = (type: string, body: Buffer, status = 200) =>
    readReply({ status, headers: { 'content-type': type }, body }, 'GET /a', { a: '0123456789' });

  it('is decoded before keys are looked for', () => {
    expect(read('text/plain; charset=utf-16', Buffer.from('x0123456789', 'utf16le')).content).toEqual([
      { type: 'text', text: 'x[key]' },
    ]);
    const cut = read('text/plain', Buffer.from(`${'x'.repeat(3995)}0123456789`), 400).content[0];
    expect(cut).toMatchObject({ text: expect.not.stringContaining('0123') as string });
  });

  it('that is no text stays as it is', () => {
    const body = Buffer.from('\x00\xff0123456789', 'latin1');
    expect(read('image/png', body).content).toMatchObject([{ resource: { blob: body.toString('base64') } }]);
  });
});
