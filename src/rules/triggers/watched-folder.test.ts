import { expect, it } from 'vitest';
import { findRoot, matchesPattern, readSegments } from './watched-folder.ts';

it.each([
  ['order.pdf', '*.pdf', true],
  ['order.PDF', '*.pdf', false],
  ['a-b-c.csv', 'a*-?.csv', true],
  ['abc', '***', true],
  ['abc', 'ab', false],
  ['a+b', 'a.b', false],
  ['.order.pdf.Xy12', '*', false],
  ['.order', '.*', true],
])('tells that %s against %s is %s', (name, pattern, isOne) => expect(matchesPattern(name, pattern)).toBe(isOne));

it('compares a hostile pattern with a long name in few steps', () => {
  expect(matchesPattern('a'.repeat(255), `${'*a'.repeat(49)}*b`)).toBe(false);
});

it.each(['..', 'a/../b', '/etc', 'a//b', './a', 'a/', 'a\0b', 'a/'.repeat(300)])('takes %j for no path below a root', (path) => {
  expect(readSegments(path)).toBeNull();
});

it('finds a root by its own name alone, for each account its own', () => {
  expect(findRoot({ drop: '/srv/{account}' }, 'drop', 'one')).toBe('/srv/one');
  expect(findRoot({ drop: '/srv' }, 'constructor', 'one')).toBeNull();
  expect(readSegments('a/b..c')).toEqual(['a', 'b..c']);
});
