import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../test/support/leftovers.ts';
import type { Connection } from './connection.ts';
import { copyWorkspace } from './workspace-copy.ts';

const top = createFolder('copy');
afterAll(() => removeFolder(top));

function holding(files: Record<string, string>): Connection {
  const list = Object.keys(files).map((path) => ({ path, kind: 'file', bytes: files[path]?.length ?? 0 }));
  return {
    kind: 'own',
    call: (async (name: string, { path }: { path: string }) =>
      name === 'workspace.list'
        ? { data: [{ path: 'notes', kind: 'folder', bytes: 0 }, ...list] }
        : { content: Buffer.from(files[path] ?? '').toString('base64') }) as Connection['call'],
    stream: () => {
      throw new Error('nothing is streamed here');
    },
    async close() {},
  };
}

describe('copying a workspace', () => {
  it('writes every file at its place and replaces what was there', async () => {
    const folder = join(top, 'deep', 'out');
    await copyWorkspace(holding({ 'a.txt': 'old' }), 't', folder);
    const files = await copyWorkspace(holding({ 'a.txt': 'new', 'notes/b/c.txt': 'C' }), 't', folder);
    expect(files).toEqual([
      { path: 'a.txt', bytes: 3 },
      { path: 'notes/b/c.txt', bytes: 1 },
    ]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new');
    expect(readFileSync(join(folder, 'notes/b/c.txt'), 'utf8')).toBe('C');
  });

  it.each(['../x', 'a/../../x', '/etc/x', 'a//b', './a', 'a/', 'a\0b'])(
    'writes nothing at all when a path leads out of it: %j',
    async (path) => {
      const folder = join(top, 'hostile');
      await expect(copyWorkspace(holding({ 'good.txt': 'x', [path]: 'x' }), 't', folder)).rejects.toThrow('cannot be used here');
      expect(readdirSync(top)).not.toContain('hostile');
    },
  );
});
