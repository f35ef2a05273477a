import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { HeldFolder, type Addressing } from './held-folder.ts';
import { openWorkspace } from './workspace-folder.ts';

let base: string;
let root: string;
let outside: string;

beforeEach(() => {
  base = createFolder('workspace');
  root = join(base, 'task');
  outside = join(base, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'secret');
});

afterEach(() => removeFolder(base));

const onLinux = process.platform === 'linux';
const addressings: Addressing[] = onLinux ? ['descriptor', 'path'] : ['path'];

describe.each(addressings)('a workspace reached by %s', (addressing) => {
  const open = (fileLimitBytes?: number) =>
    openWorkspace(root, fileLimitBytes === undefined ? { addressing } : { addressing, fileLimitBytes });

  it('is created by the first write, and is empty before', async () => {
    const workspace = open();
    expect(await workspace.list('.', 10)).toEqual([]);
    await expect(workspace.read('a.txt')).rejects.toMatchObject({ code: 'not_found' });
    expect(existsSync(root)).toBe(false);
    await workspace.write('a.txt', 'a');
    expect(lstatSync(root).mode & 0o777).toBe(0o700);
  });

  it('returns exactly what was written, however the path is spelled', async () => {
    const workspace = open();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
        await workspace.write('/workspace/deep/er/file', bytes);
        expect(new Uint8Array(await workspace.read('./deep/x/../er/file'))).toEqual(bytes);
      }),
      { numRuns: 20 },
    );
    expect(readdirSync(join(root, 'deep/er'))).toEqual(['file']);
  });

  it('never reads or writes through a link, anywhere in the path', async () => {
    const workspace = open();
    await workspace.write('real/file.txt', 'mine');
    symlinkSync(outside, join(root, 'folder-link'));
    symlinkSync('..', join(root, 'real/up'));
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file-link'));
    symlinkSync(join(outside, 'new.txt'), join(root, 'dangling'));
    for (const path of [
      'folder-link/secret.txt',
      'file-link',
      'real/up/real/file.txt',
      'real/up/../../outside/secret.txt',
      'dangling',
    ]) {
      await expect(workspace.read(path), path).rejects.toMatchObject({ name: 'Fault' });
    }
    for (const path of ['folder-link/new.txt', 'folder-link/a/b.txt', 'real/up/new.txt']) {
      await expect(workspace.write(path, 'x'), path).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    await expect(workspace.list('folder-link', 10)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(readdirSync(base).sort()).toEqual(['outside', 'task']);
  });

  it('replaces a link with a file written there, and does not touch its target', async () => {
    const workspace = open();
    await workspace.write('x', '');
    symlinkSync(join(outside, 'secret.txt'), join(root, 'link'));
    await workspace.write('link', 'mine');
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(lstatSync(join(root, 'link')).isFile()).toBe(true);
  });

  it('does not follow a link that replaces the workspace itself', async () => {
    symlinkSync(outside, root);
    await expect(open().read('secret.txt')).rejects.toThrow();
    await expect(open().write('new.txt', 'x')).rejects.toThrow();
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  it('rejects anything but regular files without waiting for it', async () => {
    const workspace = open();
    await workspace.write('folder/x', '');
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(workspace.read('pipe')).rejects.toThrow('path: "pipe" is not a file.');
    await expect(workspace.read('folder')).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(workspace.read('.')).rejects.toThrow('is not a file');
    await expect(workspace.write('folder', 'x')).rejects.toThrow('is a folder');
    await expect(workspace.write('folder/x/y', 'x')).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(workspace.write('.', 'x')).rejects.toThrow('is not a file');
  });

  it('leaves no files behind when a write fails', async () => {
    const workspace = open();
    await workspace.write('folder/x', '');
    await expect(workspace.write('folder', 'x')).rejects.toThrow();
    expect(readdirSync(root)).toEqual(['folder']);
  });

  it('preserves the permissions of a file it replaces', async () => {
    const workspace = open();
    await workspace.write('run.sh', 'a');
    chmodSync(join(root, 'run.sh'), 0o755);
    await workspace.write('run.sh', 'b');
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755);
  });

  it('limits the size of reads and writes', async () => {
    const workspace = open(100);
    await workspace.write('a', 'x'.repeat(100));
    expect(await workspace.read('a')).toHaveLength(100);
    await expect(workspace.read('a', 99)).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(workspace.write('a', 'x'.repeat(101))).rejects.toMatchObject({ code: 'payload_too_large' });
    writeFileSync(join(root, 'b'), 'x'.repeat(101));
    await expect(workspace.read('b', 1000)).rejects.toThrow('path: "b" is 101 bytes, more than the 100 bytes');
  });

  it('lists folders before their contents, in order, without links, pipes, partial files and invalid names', async () => {
    const workspace = open();
    for (const path of ['b/z', 'b/a/1', 'a', 'b.txt']) await workspace.write(path, 'xy');
    symlinkSync(outside, join(root, 'link'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    writeFileSync(join(root, '.errand-write-left'), '');
    writeFileSync(join(root, 'line\nbreak'), '');
    if (onLinux) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), '');
    expect(await workspace.list('/workspace', 100)).toEqual([
      { path: 'a', kind: 'file', bytes: 2 },
      { path: 'b', kind: 'folder', bytes: 0 },
      { path: 'b/a', kind: 'folder', bytes: 0 },
      { path: 'b/a/1', kind: 'file', bytes: 2 },
      { path: 'b/z', kind: 'file', bytes: 2 },
      { path: 'b.txt', kind: 'file', bytes: 2 },
    ]);
    expect((await workspace.list('b', 100)).map((entry) => entry.path)).toEqual(['b/a', 'b/a/1', 'b/z']);
    expect(await workspace.list('.', 3)).toHaveLength(3);
    expect((await workspace.list('.', 100, { depth: 1 })).map((entry) => entry.path)).toEqual(['a', 'b', 'b.txt']);
    expect((await workspace.list('.', 100, { closed: ['a'] })).map((entry) => entry.path)).not.toContain('b/a/1');
    await expect(workspace.list('a', 10)).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(workspace.list('none', 10)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('enters folders that tool code has locked, but none through a link', async () => {
    const workspace = open();
    await workspace.write('a/b/c.txt', 'there');
    symlinkSync(outside, join(root, 'link'));
    for (const path of ['a/b', 'a', '']) chmodSync(join(root, path), 0o000);
    chmodSync(outside, 0o000);
    expect(String(await workspace.read('a/b/c.txt'))).toBe('there');
    for (const [path, mode] of [
      ['a/b', 0o400],
      ['a', 0o300],
      ['', 0o000],
    ] as const)
      chmodSync(join(root, path), mode);
    expect((await workspace.list('.', 10)).map((entry) => entry.path)).toEqual(['a', 'a/b', 'a/b/c.txt']);
    await workspace.write('a/b/d.txt', 'more');
    await expect(workspace.read('link/secret.txt')).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(lstatSync(outside).mode & 0o777).toBe(0o000);
    chmodSync(outside, 0o700);
  });

  it('leaves folders as they are that tool code has only made read-only', async () => {
    const workspace = open();
    await workspace.write('a/b.txt', 'there');
    chmodSync(join(root, 'a'), 0o555);
    await workspace.read('a/b.txt');
    expect(lstatSync(join(root, 'a')).mode & 0o777).toBe(0o555);
    chmodSync(join(root, 'a'), 0o755);
  });

  it('lists only valid paths, however deeply tools nest folders', async () => {
    mkdirSync(join(root, ...Array.from({ length: 60 }, () => 'd')), { recursive: true });
    const entries = await open().list('.', 1000);
    expect(entries).toHaveLength(32);
  });
});

describe.runIf(onLinux)('a race for the folder', () => {
  it('does not redirect a folder that is already open', async () => {
    mkdirSync(join(root, 'a'), { recursive: true });
    await using held = await HeldFolder.hold(root);
    await using folder = await held.enter('a');
    renameSync(join(root, 'a'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'a'));
    writeFileSync(folder.at('new.txt'), 'x');
    expect(readdirSync(join(root, 'moved'))).toEqual(['new.txt']);
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    await expect(held.enter('a')).rejects.toThrow(/ENOTDIR|ELOOP/);
  });

  it('is detected if folders are accessed by path', async () => {
    mkdirSync(join(root, 'a'), { recursive: true });
    await using held = await HeldFolder.hold(root, 'path');
    await using folder = await held.enter('a');
    renameSync(join(root, 'a'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'a'));
    await expect(folder.confirm()).rejects.toMatchObject({ code: 'conflict' });
    await expect(folder.entries(10)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('never leaks a byte in or out while another thread keeps swapping a folder and a link', async () => {
    mkdirSync(join(root, 'a'), { recursive: true });
    writeFileSync(join(root, 'a/secret.txt'), 'mine');
    const swaps = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(swapper, { eval: true, workerData: { root, outside, swaps } });
    const workspace = openWorkspace(root);
    let read = 0;
    try {
      for (let i = 0; i < 200 || (i < 5000 && Atomics.load(swaps, 0) < 100); i++) {
        await workspace.write('a/planted.txt', 'x').catch(() => undefined);
        const text = await workspace.read('a/secret.txt').then(String, () => null);
        expect(text === null || text === 'mine').toBe(true);
        if (text !== null) read++;
        const listed = await workspace.list('a', 10).catch(() => []);
        expect(listed.map((entry) => entry.path)).not.toContain('a/only-outside.txt');
      }
    } finally {
      Atomics.store(swaps, 1, 1);
      await new Promise((resolve) => worker.once('exit', resolve));
    }
    expect(read).toBeGreaterThan(0);
    expect(Atomics.load(swaps, 0)).toBeGreaterThan(50);
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });
});

const swapper = `
  const { workerData: { root, outside, swaps } } = require('node:worker_threads');
  const { renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs');
  // A write at a moment without the folder recreates it.
  const put = (make) => {
    for (;;) try { return make(); } catch { try { rmSync(root + '/a', { recursive: true, force: true }); } catch {} }
  };
  while (Atomics.load(swaps, 1) === 0) {
    renameSync(root + '/a', root + '/kept');
    put(() => symlinkSync(outside, root + '/a'));
    Atomics.wait(swaps, 1, 0, 1);
    unlinkSync(root + '/a');
    put(() => renameSync(root + '/kept', root + '/a'));
    Atomics.add(swaps, 0, 1);
    Atomics.wait(swaps, 1, 0, 1);
  }
`;
