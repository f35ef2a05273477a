import { createHash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** One file. */
export function writeHello(root: string): void {
  writeFileSync(join(root, 'hello.txt'), 'Hello');
}

/** What a workspace can have: kinds, modes, times, links, a hole, and empty and locked folders. */
export function fillWorkspace(root: string): void {
  mkdirSync(join(root, 'sub/deep/empty'), { recursive: true });
  mkdirSync(join(root, 'locked/inner'), { recursive: true });
  writeFileSync(join(root, 'sub/deep/ünï cödé.txt'), 'hello');
  writeFileSync(join(root, 'nothing'), '');
  writeFileSync(join(root, 'large'), Buffer.alloc(3_000_000, 'abc'));
  writeFileSync(join(root, 'run.sh'), '#!/bin/sh', { mode: 0o755 });
  writeFileSync(join(root, 'locked/inner/secret'), 'there', { mode: 0o000 });
  linkSync(join(root, 'run.sh'), join(root, 'sub/same.sh'));
  writeFileSync(join(root, 'sparse'), '');
  truncateSync(join(root, 'sparse'), 8 * 1024 * 1024);
  writeFileSync(join(root, 'sparse'), 'end', { flag: 'a' });
  symlinkSync('sub', join(root, 'way'));
  utimesSync(join(root, 'sub/deep/ünï cödé.txt'), 1_700_000_000.123456, 1_700_000_000.123456);
  lutimesSync(join(root, 'way'), 1_600_000_000.5, 1_600_000_000.5);
  utimesSync(join(root, 'sub/deep/empty'), 1_500_000_000, 1_500_000_000);
  chmodSync(join(root, 'sub/deep'), 0o555);
  for (const name of ['locked/inner', 'locked']) chmodSync(join(root, name), 0o000);
}

/** Everything below a folder: kinds, modes, times in microseconds, and contents. Locked folders are opened for a moment. */
export function describeTree(folder: string, prefix = ''): string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      const found = lstatSync(path);
      const about = `${prefix}${name} ${found.mode.toString(8)} ${lstatSync(path, { bigint: true }).mtimeNs / 1000n}`;
      if (found.isSymbolicLink()) return [`${about} ${readlinkSync(path)}`];
      if (!found.isDirectory() && !found.isFile()) return [about];
      const mode = found.mode & 0o777;
      const needed = found.isDirectory() ? 0o500 : 0o400;
      const isLocked = (mode & needed) !== needed;
      if (isLocked) chmodSync(path, 0o700);
      const inner = found.isDirectory() ? describeTree(path, `${prefix}${name}/`) : [];
      const content = found.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      if (isLocked) chmodSync(path, mode);
      return [`${about} ${content}`, ...inner];
    });
}
