import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import type { Connection } from '../transport/connection.ts';
import { copyArtifacts } from './artifact-copy.ts';

const top = createFolder('copy');
afterAll(() => removeFolder(top));

/** A service with these artifacts, the newest first, two a page. */
function holding(filenames: readonly (string | null)[]): Connection {
  const data = filenames.map((filename, index) =>
    filename === null
      ? { filename: 'site', file_type: 'webdev', id: String(index), url: 'https://site/' }
      : { filename, file_type: 'file', id: String(index), url: `u${index}` },
  );
  return {
    kind: 'own',
    call: (async (_name: string, { cursor = '0' }: { cursor?: string }) => {
      const from = Number(cursor);
      const has_more = from + 2 < data.length;
      return { data: data.slice(from, from + 2), has_more, ...(has_more && { next_cursor: String(from + 2) }) };
    }) as Connection['call'],
    stream: () => {
      throw new Error('nothing is streamed here');
    },
    async close() {},
  };
}

async function* read(url: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from('text ');
  yield Buffer.from(url);
}

describe('copying what a task delivered', () => {
  it('writes every file of every page without overwriting files of the same name', async () => {
    const folder = join(top, 'deep', 'out');
    const files = await copyArtifacts(holding(['a.txt', 'b.txt', null, 'a.txt', 'a']), 't', folder, read);
    expect(files).toEqual([
      { path: 'a', bytes: 7 },
      { path: 'a.txt', bytes: 7 },
      { path: 'b.txt', bytes: 7 },
      { path: 'a (2).txt', bytes: 7 },
    ]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('text u3');
    expect(readFileSync(join(folder, 'a (2).txt'), 'utf8')).toBe('text u0');
  });

  it.each(['../x', '/etc/x', 'a/b', '..', '', 'a\0b', 'a\\b'])(
    'writes nothing if a name leads out of the folder: %j',
    async (name) => {
      await expect(copyArtifacts(holding(['good.txt', name]), 't', join(top, 'hostile'), read)).rejects.toThrow(
        'cannot be used here',
      );
      expect(readdirSync(top)).not.toContain('hostile');
    },
  );
});
