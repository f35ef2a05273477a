import { execFileSync } from 'node:child_process';
import { closeSync, linkSync, mkdirSync, openSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { type DiskUse, measureFolder, measureUnlinked } from './disk-usage.ts';

let base: string;
let root: string;

beforeEach(() => {
  base = createFolder('disk');
  root = join(base, 'root');
  mkdirSync(root);
});

afterEach(() => removeFolder(base));

function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function measure(entryLimit = 1000): DiskUse {
  const folder = openSync(root, 'r');
  try {
    return finish(measureFolder(folder, entryLimit));
  } finally {
    closeSync(folder);
  }
}

describe.skipIf(process.platform !== 'linux')('the disk usage of a folder', () => {
  it('is the space that its files and folders occupy', () => {
    expect(measure()).toEqual({ bytes: 0, entries: 0 });
    mkdirSync(join(root, 'a/b'), { recursive: true });
    writeFileSync(join(root, 'a/b/file'), Buffer.alloc(100_000, 1));
    execFileSync('truncate', ['-s', '1G', join(root, 'sparse')]);
    const blocks = ['a', 'a/b', 'a/b/file', 'sparse'].map((path) => statSync(join(root, path)).blocks);
    expect(measure()).toEqual({ bytes: blocks.reduce((sum, count) => sum + count * 512, 0), entries: 4 });
  });

  it('counts a file with several hard links once', () => {
    writeFileSync(join(root, 'file'), Buffer.alloc(100_000, 1));
    const { bytes } = measure();
    linkSync(join(root, 'file'), join(root, 'second'));
    expect(measure()).toEqual({ bytes, entries: 2 });
  });

  it('does not follow symbolic links to files or folders', () => {
    writeFileSync(join(base, 'outside'), Buffer.alloc(1_000_000, 1));
    symlinkSync(join(base, 'outside'), join(root, 'file'));
    symlinkSync(base, join(root, 'folder'));
    expect(measure()).toEqual({ bytes: 0, entries: 2 });
  });

  it('includes pipes and names that are not UTF-8', () => {
    execFileSync('bash', ['-c', `mkdir "$(printf '\\377')" && : >"$(printf '\\377/\\376')" && mkfifo pipe`], {
      cwd: root,
      stdio: 'ignore',
    });
    expect(measure().entries).toBe(3);
  });

  it('stops at the limit', () => {
    for (let index = 0; index < 50; index++) writeFileSync(join(root, String(index)), '');
    expect(measure(10).entries).toBe(11);
  });

  it('exceeds any limit if folders are nested too deeply, and handles paths of any length', () => {
    const chain = Array.from({ length: 15 }, () => 'd'.repeat(250)).join('/');
    mkdirSync(join(root, 'bottom', chain), { recursive: true });
    writeFileSync(join(root, 'bottom', chain, 'file'), Buffer.alloc(1_000_000, 1));
    mkdirSync(join(root, 'top', chain), { recursive: true });
    renameSync(join(root, 'bottom'), join(root, 'top', chain, 'bottom'));
    expect(measure().bytes).toBeGreaterThan(1_000_000);
    expect(measure().bytes).toBeLessThan(2_000_000);
    mkdirSync(join(root, Array.from({ length: 300 }, () => 'd').join('/')), { recursive: true });
    expect(measure().bytes).toBe(Number.POSITIVE_INFINITY);
  });
});

describe.skipIf(process.platform !== 'linux')('the space of deleted files', () => {
  it('is measured through the processes that hold them open, once', () => {
    const path = join(root, 'file');
    writeFileSync(path, Buffer.alloc(100_000, 1));
    const handles = [openSync(path, 'r'), openSync(path, 'r')];
    const { blocks, dev } = statSync(path);
    const before = finish(measureUnlinked([`/proc/${process.pid}`], dev));
    unlinkSync(path);
    expect(finish(measureUnlinked([`/proc/${process.pid}`, '/proc/0'], dev)) - before).toBe(blocks * 512);
    expect(finish(measureUnlinked([`/proc/${process.pid}`], -1))).toBe(0);
    for (const handle of handles) closeSync(handle);
  });
});
