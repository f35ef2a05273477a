import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { stageSources } from './staged-sources.ts';

const stranger = { uid: 61_123, gid: 61_123 };
let base: string;

beforeEach(() => {
  base = createFolder('staged');
  chmodSync(base, 0o755);
});

afterEach(() => removeFolder(base));

function makeFolder(name: string, mode: number): string {
  mkdirSync(join(base, name), { recursive: true });
  chmodSync(join(base, name), mode);
  return join(base, name);
}

function makeSources() {
  const open = makeFolder('open', 0o755);
  const nodeFile = join(open, 'node');
  writeFileSync(nodeFile, '', { mode: 0o755 });
  return { workspace: open, nodeFile, library: open, layer: null, fonts: null, memory: null, egress: null };
}

describe('the sources of a sandbox', () => {
  it('stay where they are if its user reaches them all, so that no program is started to mount them', () => {
    const sources = makeSources();
    expect(stageSources(sources, stranger)).toEqual({ mounts: [], reachable: sources });
  });

  it('are mounted elsewhere, and only those, if they are in folders that its user may not enter', () => {
    const locked = makeFolder('locked', 0o700);
    const inside = makeFolder('locked/inside', 0o755);
    const program = join(locked, 'node');
    writeFileSync(program, '', { mode: 0o755 });
    const sources = { ...makeSources(), workspace: inside, nodeFile: program };
    const { mounts, reachable } = stageSources(sources, stranger);
    expect(reachable).toEqual({ ...sources, workspace: '/media', nodeFile: '/mnt/node' });
    expect(mounts.slice(-3)).toEqual(['sh', inside, locked]);
    expect(mounts.filter((part) => part.includes('mount --bind "$1" /media && mount --bind "$2" /mnt &&'))).toHaveLength(1);
  });

  it('are mounted elsewhere if its user may enter their folder and not use them', () => {
    const sources = { ...makeSources(), workspace: makeFolder('own', 0o700) };
    expect(stageSources(sources, stranger).reachable.workspace).toBe('/media');
  });

  it('are never covered by the place of another', () => {
    const sources = { ...makeSources(), workspace: makeFolder('own', 0o700), layer: '/media', memory: '/mnt' };
    expect(stageSources(sources, stranger).reachable).toEqual({ ...sources, workspace: '/srv' });
  });
});
