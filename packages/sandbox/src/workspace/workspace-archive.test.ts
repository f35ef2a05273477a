import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { packWorkspace } from './workspace-archive.ts';
import { unpackWorkspace } from './workspace-unpacking.ts';

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
    const restored = await unpackWorkspace(to, Readable.from([bytes]));
    return { to, leftOut: archive.leftOut(), bytes, restored };
  };
  const nothing = { count: 0, files: [] };

  it('leaves nothing open if it is not read to its end', async () => {
    const from = folder();
    mkdirSync(join(from, 'sub'));
    for (let index = 0; index < 40; index += 1) writeFileSync(join(from, 'sub', String(index)), randomBytes(200_000));
    for await (const piece of packWorkspace(from).content) if (piece.length > 0) break;
    const held = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    expect(held.filter((path) => path.startsWith(from))).toEqual([]);
  });

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
    expect(leftOut).toEqual(nothing);
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

  it('includes what tool code has locked, and keeps its modes', async () => {
    const from = folder();
    mkdirSync(join(from, 'locked/inner'), { recursive: true });
    writeFileSync(join(from, 'locked/inner/file'), 'there', { mode: 0o000 });
    for (const path of ['locked/inner', 'locked', '']) chmodSync(join(from, path), 0o000);
    const { to, leftOut } = await move(from);
    expect(leftOut).toEqual(nothing);
    for (const path of ['locked', 'locked/inner']) {
      for (const base of [from, to]) {
        expect(lstatSync(join(base, path)).mode & 0o777).toBe(0o000);
        chmodSync(join(base, path), 0o700);
      }
    }
    expect([from, to].map((base) => lstatSync(join(base, 'locked/inner/file')).mode & 0o777)).toEqual([0o000, 0o000]);
    chmodSync(join(to, 'locked/inner/file'), 0o600);
    expect(readFileSync(join(to, 'locked/inner/file'), 'utf8')).toBe('there');
  });

  it('does not unlock what a link in the place of a locked folder leads to', async () => {
    const from = folder();
    const outside = folder();
    chmodSync(outside, 0o000);
    symlinkSync(outside, join(from, 'way'));
    await move(from);
    expect(lstatSync(outside).mode & 0o777).toBe(0o000);
    chmodSync(outside, 0o700);
  });

  it('names what it leaves out, with the reason, where it was made and where it is restored', async () => {
    const from = folder();
    execFileSync('mkfifo', [join(from, 'pipe')]);
    const server = createServer().listen(join(from, 'socket'));
    await once(server, 'listening');
    writeFileSync(join(from, 'line\nbreak'), '');
    writeFileSync(join(from, '.errand-write-left'), 'half a file of ours');
    writeFileSync(join(from, 'seen'), 'x');
    mkdirSync(join(from, ...Array.from({ length: 33 }, () => 'd')), { recursive: true });
    const { to, leftOut, restored } = await move(from);
    server.close();
    expect(leftOut).toEqual({
      count: 4,
      files: [
        { path: Array.from({ length: 33 }, () => 'd').join('/'), reason: 'too_deep' },
        { path: 'line\nbreak', reason: 'unusable_name' },
        { path: 'pipe', reason: 'special' },
        { path: 'socket', reason: 'special' },
      ],
    });
    expect(restored).toEqual(leftOut);
    expect(readdirSync(to).toSorted()).toEqual(['d', 'seen']);
  });

  it('includes what fits and names what does not', async () => {
    const from = folder();
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(from, name), Buffer.alloc(10));
    const tooLarge = await move(from, { bytes: 25, entries: 100 });
    expect([readdirSync(tooLarge.to), tooLarge.restored]).toEqual([
      ['a', 'b'],
      { count: 2, files: ['c', 'd'].map((path) => ({ path, reason: 'too_large' })) },
    ]);
    const tooMany = await move(from, { bytes: 1000, entries: 3 });
    expect([readdirSync(tooMany.to), tooMany.restored]).toEqual([
      ['a', 'b', 'c'],
      { count: 1, files: [{ path: 'd', reason: 'too_many' }] },
    ]);
  });

  it('counts all that it leaves out, but names a bounded part of it', async () => {
    const from = folder();
    for (let index = 100; index < 300; index++) writeFileSync(join(from, `${index}-${'n'.repeat(240)}`), '');
    const { leftOut, restored } = await move(from, { bytes: 1000, entries: 0 });
    expect([leftOut.count, leftOut.files.length]).toEqual([200, 50]);
    expect(restored).toEqual(leftOut);
  });

  it('names a file that shrinks while it is copied', async () => {
    const from = folder();
    writeFileSync(join(from, 'log'), randomBytes(8_000_000));
    const archive = packWorkspace(from);
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive.content) {
      if (chunks.length === 0) truncateSync(join(from, 'log'), 0);
      chunks.push(chunk);
    }
    const leftOut = await unpackWorkspace(join(top, String(count++), 'copy'), Readable.from(chunks));
    expect(leftOut).toEqual({ count: 1, files: [{ path: 'log', reason: 'changed' }] });
  });

  it('takes no list of what was left out from tool code', async () => {
    const forged = JSON.stringify({ count: 1, files: [{ path: 'x', reason: 'special' }] });
    const from = folder();
    writeFileSync(join(from, '.errand-write-left-out.json'), forged);
    expect((await move(from)).restored).toEqual(nothing);
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

  it('is rejected beyond the limits of what others may have made, however small it is packed', async () => {
    const from = folder();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(from, name), Buffer.alloc(1_000_000));
    const bytes = await buffer(packWorkspace(from).content);
    expect(bytes.length).toBeLessThan(10_000);
    const unpack = (limits: { bytes: number; entries: number }) =>
      unpackWorkspace(join(top, String(count++), 'copy'), Readable.from([bytes]), { limits });
    await expect(unpack({ bytes: 2_000_000, entries: 3 })).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(unpack({ bytes: 3_000_000, entries: 2 })).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(await unpack({ bytes: 3_000_000, entries: 3 })).toEqual({ count: 0, files: [] });
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
