import { expect, it } from 'vitest';
import { namesTag, readByteRange } from './byte-range.ts';

it.each([
  [undefined, 'all'],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-5', { start: 2, end: 5 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=9-100', { start: 9, end: 9 }],
  ['bytes=10-', 'none'],
  ['bytes=10-20', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=5-2', 'all'],
  ['bytes=0-1,3-4', 'all'],
  ['bytes=-', 'all'],
  ['bytes=x-1', 'all'],
  ['items=0-1', 'all'],
  ['bytes=99999999999999999999-', 'all'],
])('of ten bytes, %s is %j', (header, wanted) => {
  expect(readByteRange(header, 10)).toEqual(wanted);
});

it('an empty file has no ranges', () => {
  expect([readByteRange('bytes=0-', 0), readByteRange('bytes=-1', 0), readByteRange(undefined, 0)]).toEqual([
    'none',
    'none',
    'all',
  ]);
});

it('entity tags are compared weakly, one by one', () => {
  expect(namesTag('"a", W/"b"', '"b"')).toBe(true);
  expect(namesTag('*', '"b"')).toBe(true);
  expect(namesTag('"ab"', '"b"')).toBe(false);
  expect(namesTag(undefined, '"b"')).toBe(false);
});
