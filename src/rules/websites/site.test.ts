import { describe, expect, it } from 'vitest';
import { findPage, nameVersion, type SiteFile } from './site.ts';

const file = (path: string, sha256 = path): SiteFile => ({ path, start: 0, bytes: 1, sha256 });

describe('the version id of a checkpoint', () => {
  const files = [file('a.html'), file('index.html')];
  it('depends on content, history and message only', () => {
    const name = nameVersion(files, 'First', null);
    expect(name).toMatch(/^[0-9a-f]{40}$/);
    expect(nameVersion(structuredClone(files), 'First', null)).toBe(name);
    const others = [
      nameVersion(files, 'Second', null),
      nameVersion(files, 'First', name),
      nameVersion([file('a.html', 'changed'), file('index.html')], 'First', null),
      nameVersion([file('b.html', 'a.html'), file('index.html')], 'First', null),
      nameVersion(files.slice(1), 'First', null),
    ];
    expect(new Set([name, ...others]).size).toBe(6);
  });
});

describe('a site', () => {
  const site = (...paths: string[]) => new Map(paths.map((path) => [path, file(path)]));
  const small = site('index.html', 'a.css', 'docs/index.html', 'docs/b.html');
  it.each([
    ['', 'index.html', 200],
    ['a.css', 'a.css', 200],
    ['docs/', 'docs/index.html', 200],
    ['docs/b.html', 'docs/b.html', 200],
  ])('serves %j as %j', (path, shown, status) => {
    expect(findPage(small, path)).toEqual({ kind: 'file', file: file(shown), status });
  });

  it('redirects a folder to its URL with a trailing slash', () => {
    expect(findPage(small, 'docs')).toEqual({ kind: 'folder' });
  });

  it.each(['nothing', 'docs/nothing', 'a.css/', '__proto__', 'constructor', 'docs//', '../index.html'])(
    'serves its own 404 page, if any, for a missing path: %j',
    (path) => {
      expect(findPage(small, path)).toEqual({ kind: 'missing' });
      expect(findPage(site('index.html', '404.html'), path)).toEqual({ kind: 'file', file: file('404.html'), status: 404 });
    },
  );
});
