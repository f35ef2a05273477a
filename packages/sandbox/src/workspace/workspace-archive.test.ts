import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { packWorkspace, unpackWorkspace } from './workspace-archive.ts';

describe('an archive of a workspace', () => {
  const top = createFolder('archive');
  afterAll(() => removeFolder(top));
  let count = 0;
  const folder = () => {
    const made = join(top, String(count++), 'ws');
    mkdirSync(made, { recursive: true });
    return made;
  };
  const move = async (from: string, limits?: { bytes: number; entries: number }) => {
    const archive = packWorkspace(from, limits);
    const bytes = await buffer(archive.content);
    const to = join(top, String(count++), 'copy');
    await unpackWorkspace(to, Readable.from([bytes]));
    return { to, leftOut: archive.leftOut(), bytes };
  };

  it('preserves files, folders, links and permissions', async () => {
    const from = folder();
    mkdirSync(join(from, 'sub/deep/empty'), { recursive: true });
    writeFileSync(join(from, 'sub/deep/ünï cödé.txt'), 'hello');
    writeFileSync(join(from, 'nothing'), '');
    writeFileSync(join(from, 'large'), Buffer.alloc(3_000_000, 'abc'));
    writeFileSync(join(from, 'run.sh'), '#!/bin/sh', { mode: 0o755 });
    writeFileSync(join(from, `${'long-'.repeat(40)}.txt`), 'long');
    symlinkSync('sub', join(from, 'way'));
    const { to, leftOut, bytes } = await move(from);
    expect(leftOut).toBe(0);
    expect(execFileSync('diff', ['-r', '--no-dereference', from, to], { encoding: 'utf8' })).toBe('');
    expect(lstatSync(join(to, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(to, 'way'))).toBe('sub');
    expect(bytes.length).toBeLessThan(100_000);
  });

  it('contains no link targets, and does not wait for pipes', async () => {
    const from = folder();
    const secret = join(top, 'secret');
    writeFileSync(secret, 'canary');
    symlinkSync(secret, join(from, 'link'));
    symlinkSync(top, join(from, 'out'));
    execFileSync('mkfifo', [join(from, 'pipe')]);
    writeFileSync(join(from, 'seen'), 'x');
    const { to } = await move(from);
    expect(readdirSync(to).toSorted()).toEqual(['link', 'out', 'seen']);
    expect([lstatSync(join(to, 'link')).isSymbolicLink(), lstatSync(join(to, 'out')).isSymbolicLink()]).toEqual([true, true]);
  });

  it('skips an unreadable folder', async () => {
    const from = folder();
    mkdirSync(join(from, 'locked'));
    chmodSync(join(from, 'locked'), 0o000);
    writeFileSync(join(from, 'seen'), 'x');
    const { to } = await move(from);
    expect(existsSync(join(to, 'seen'))).toBe(true);
    chmodSync(join(from, 'locked'), 0o700);
  });

  it('includes what fits and reports how much does not', async () => {
    const from = folder();
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(from, name), Buffer.alloc(10));
    expect(await move(from, { bytes: 25, entries: 100 }).then(({ to, leftOut }) => [readdirSync(to), leftOut])).toEqual([
      ['a', 'b'],
      2,
    ]);
    expect(await move(from, { bytes: 1000, entries: 3 }).then(({ to, leftOut }) => [readdirSync(to), leftOut])).toEqual([
      ['a', 'b', 'c'],
      1,
    ]);
  });

  /** An archive crafted to write elsewhere. */
  async function hostile(...entries: { name: string; linkname?: string; body?: string }[]): Promise<string> {
    const tar = pack();
    for (const { name, linkname, body = '' } of entries) {
      if (linkname !== undefined) tar.entry({ name, type: 'symlink', linkname });
      else tar.entry({ name }, body);
    }
    tar.finalize();
    const to = join(top, String(count++), 'copy');
    await unpackWorkspace(to, Readable.from(tar).pipe(createZstdCompress()) as AsyncIterable<Uint8Array>);
    return to;
  }

  it.each([
    [{ name: '../evil', body: 'x' }],
    [{ name: '/tmp/evil', body: 'x' }],
    [{ name: 'a/../../evil', body: 'x' }],
    [{ name: 'a//b', body: 'x' }],
    [{ name: 'c\nd', body: 'x' }],
  ])('is rejected for a name such as %j', async (entry) => {
    await expect(hostile(entry)).rejects.toMatchObject({ code: 'internal' });
  });

  it('never writes through a link that it contains', async () => {
    const outside = folder();
    await expect(hostile({ name: 'way', linkname: outside }, { name: 'way/evil', body: 'x' })).rejects.toThrow();
    writeFileSync(join(outside, 'kept'), 'before');
    await expect(hostile({ name: 'file', linkname: join(outside, 'kept') }, { name: 'file', body: 'after' })).rejects.toThrow();
    expect([readdirSync(outside), readFileSync(join(outside, 'kept'), 'utf8')]).toEqual([['kept'], 'before']);
  });

  it('is rejected if truncated or not an archive', async () => {
    const from = folder();
    writeFileSync(join(from, 'a'), Buffer.alloc(500_000, 'x'));
    const bytes = await buffer(packWorkspace(from).content);
    for (const wrong of [bytes.subarray(0, bytes.length / 2), Buffer.from('nonsense')]) {
      await expect(unpackWorkspace(join(top, String(count++), 'copy'), Readable.from([wrong]))).rejects.toThrow();
    }
  });
});
