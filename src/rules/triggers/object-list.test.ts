import { describe, expect, it } from 'vitest';
import { readErrorCode, readObjectList } from './object-list.ts';

const entry = (key: string, more = '') =>
  `<Contents><Key>${key}</Key><LastModified>2027-01-02T03:04:05.000Z</LastModified><ETag>&quot;abc-2&quot;</ETag><Size>7</Size>${more}</Contents>`;
const list = (inner: string) => `<?xml version="1.0"?>\n<ListBucketResult xmlns="x">${inner}</ListBucketResult>\n`;
const keysOf = (xml: string) => readObjectList(xml)?.objects.map(({ key }) => key);

describe('a list of objects', () => {
  it('has key, ETag, size, and time of each', () => {
    const modifiedAtMs = Date.UTC(2027, 0, 2, 3, 4, 5);
    expect(readObjectList(list(entry('a.pdf', '<Owner><ID>x</ID></Owner>')))).toEqual({
      objects: [{ key: 'a.pdf', etag: 'abc-2', bytes: 7, modifiedAtMs }],
      next: null,
    });
    expect(readObjectList(list(''))).toEqual({ objects: [], next: null });
  });

  it('says where the next page begins, also after its objects', () => {
    const cut = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken>';
    expect(readObjectList(list(cut + entry('a')))?.next).toBe('a&b=');
    expect(readObjectList(list(entry('a') + cut))?.next).toBe('a&b=');
    expect(readObjectList(list('<IsTruncated>true</IsTruncated>'))).toBeNull();
  });

  it('has keys with any characters, as they are or encoded', () => {
    expect(keysOf(list(entry('a &amp; b&#x1F389;&lt;c&gt;+%2B')))).toEqual(['a & b🎉<c>+%2B']);
    expect(keysOf(list(`<EncodingType>url</EncodingType>${entry('a+b%2B%00%F0%9F%8E%89')}`))).toEqual(['a b+\0🎉']);
  });

  it.each([
    ['', 'nothing'],
    ['<html></html>', 'a page'],
    [list(entry('a')).slice(0, -30), 'a part of one'],
    [list('<Contents><Key>a</Key></Contents>'), 'an object without a time'],
    [list(entry('a').replace('>7<', '>-7<')), 'an object with less than nothing'],
    [list(entry('')), 'an object without a key'],
    [list(entry('&#xD800;')), 'half a character'],
    [list(entry('a'.repeat(1025))), 'a key that is too long'],
    [list(`<EncodingType>url</EncodingType>${entry('%FF')}`), 'bytes that are no text'],
    [list(entry('a').replace('abc-2', 'a\nb')), 'an ETag of two lines'],
    [list('<Contents><Contents></Contents>'), 'what is not closed'],
  ])('is not %j: %s', (xml) => {
    expect(readObjectList(xml)).toBeNull();
  });

  it.each([
    ['tags that are not closed', '<Contents>'.repeat(700_000)],
    ['texts that never end', `<Contents>${'<Key>'.repeat(1_400_000)}</Contents>`],
    ['references', `<Contents><Key>${'&#'.repeat(3_000_000)}</Key></Contents>`],
  ])('of 7 MB of %s is refused, in a time that grows with its length alone', (_, inner) => {
    expect(readObjectList(list(inner))).toBeNull();
  });

  it('of an error is none, and its code is known if it is one', () => {
    expect(readErrorCode('<Error><Code>NoSuchBucket</Code></Error>')).toBe('NoSuchBucket');
    expect(readErrorCode('<Error><Code>no such <b>bucket</b></Code></Error>')).toBeNull();
  });
});
