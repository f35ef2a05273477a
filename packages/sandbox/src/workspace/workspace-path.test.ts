import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import { maxNameBytes, maxPathBytes, maxPathDepth, normaliseWorkspacePath, splitWorkspacePath } from './workspace-path.ts';
import { anyCharacter } from '../../../../test/support/base/any-character.ts';

const hostilePaths = [
  '..',
  '../x',
  '../../../../etc/passwd',
  'a/../../x',
  './../x',
  'a/b/../../../x',
  '../workspace/x',
  '/workspace/../etc/passwd',
  '/workspace/..',
  '/',
  '/etc/passwd',
  '/workspaces/x',
  '/workspace-2/x',
  '//workspace/x',
  '//server/share',
  '/proc/self/environ',
  'a\0b',
  'a/\0',
  'notes.md\0.png',
  '..\\x',
  'a\\..\\..\\x',
  '\\\\server\\share',
  'C:\\x',
  'C:/x',
  'c:x',
  'Z:',
  'a\nb',
  'a\rb',
  'a\u001b[2Jb',
  'a\u007fb',
  'a\u0085b',
  'a\u2028b',
  'report\u202egpj.exe',
  '\ud800',
  'a/\udc00/b',
  'x'.repeat(maxNameBytes + 1),
  'é'.repeat(maxNameBytes / 2 + 1),
  `${'x/'.repeat(maxPathDepth)}x`,
  'long-name/'.repeat(maxPathBytes / 10 + 1),
  '../'.repeat(10_000),
];

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '..',
      '.',
      '/',
      '//',
      '/workspace',
      'workspace',
      '\\',
      '\0',
      'C:',
      '~',
      'a',
      'b.txt',
      ' ',
      '%2e%2e',
      '．．',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) },
);
const anyPath = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const plainName = fc.stringMatching(/^[a-z0-9 ._~%-]{1,12}$/).filter((name) => !/^\.{1,2}$/.test(name));

function accept(path: string): string[] | null {
  try {
    return splitWorkspacePath(path);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return null;
  }
}

describe('the path rule', () => {
  it.each(hostilePaths.map((path) => [path]))('rejects %j and names the field', (path) => {
    expect(() => splitWorkspacePath(path)).toThrow(/^path: /);
    expect(() => splitWorkspacePath(path)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('never lets an accepted path resolve outside the workspace', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const names = accept(path);
        if (!names) return;
        const resolved = posix.resolve('/data/task', names.join('/'));
        expect(resolved === '/data/task' || resolved.startsWith('/data/task/')).toBe(true);
        for (const name of names) expect(name).toMatch(/^(?!\.{1,2}$)[^/\\\0]+$/);
      }),
      { numRuns: 5000 },
    );
  });

  it('resolves an accepted path as the sandbox does', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const names = accept(path);
        if (names) expect(posix.join('/workspace', ...names)).toBe(posix.resolve('/workspace', path).replace(/\/$/, ''));
      }),
      { numRuns: 5000 },
    );
  });

  it('normalizes all spellings of a path', () => {
    fc.assert(
      fc.property(fc.array(plainName, { minLength: 1, maxLength: 6 }), (names) => {
        const path = names.join('/');
        for (const spelling of [path, `./${path}`, `/workspace/${path}`, `${path}/`, names.join('//'), `x/../${path}`]) {
          expect(normaliseWorkspacePath(spelling)).toBe(path);
        }
      }),
    );
  });

  it('treats the workspace itself as an empty path', () => {
    for (const path of ['', '.', './', '/workspace', '/workspace/', 'a/..']) {
      expect(splitWorkspacePath(path)).toEqual([]);
      expect(normaliseWorkspacePath(path)).toBe('.');
    }
  });

  it('accepts names at the limits', () => {
    const deep = Array.from({ length: maxPathDepth }, () => 'x');
    expect(splitWorkspacePath(deep.join('/'))).toEqual(deep);
    const long = 'é'.repeat((maxNameBytes - 1) / 2);
    expect(splitWorkspacePath(long)).toEqual([long]);
  });
});
