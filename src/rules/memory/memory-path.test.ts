import { describe, expect, it } from 'vitest';
import { foldersAbove, memoryPathProblem } from './memory-path.ts';

describe('the path of a memory file', () => {
  it.each(['notes.md', 'people/Ada Lovelace.md', '顧客/名簿 (2026).md', 'a/b/c/d/e/f/g/h'])('can be %j', (path) => {
    expect(memoryPathProblem(path)).toBeNull();
  });

  it.each([
    '',
    '/notes.md',
    'notes/',
    'a//b',
    '.',
    '..',
    'a/../b',
    './a',
    '.git/config',
    'a/.hidden',
    'a\\b',
    'a\0b',
    'a\nb',
    ' a',
    'a ',
    'a:b',
    'a*',
    '$HOME',
    '~',
    'a\u202eb',
    '\ud800',
    'x'.repeat(101),
    'ab/'.repeat(80),
    'a/b/c/d/e/f/g/h/i',
  ])('cannot be %j', (path) => {
    expect(memoryPathProblem(path)).toMatch(/^must /);
  });

  it('names the folders above the file', () => {
    expect(foldersAbove('a/b/c')).toEqual(['a', 'a/b']);
    expect(foldersAbove('a')).toEqual([]);
  });
});
