import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { takeOverCgroup } from './delegated-cgroup.ts';
import { SandboxCgroup } from './sandbox-cgroup.ts';

let root: string;
let membership: string;

/** A tree of files in the place of the kernel's: what the kernel adds is not tested. */
function makeTree(own: string, controllers: string): string {
  const folder = join(root, own);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'cgroup.controllers'), 'cpu memory pids');
  writeFileSync(join(folder, 'cgroup.controllers'), controllers);
  for (const name of ['cgroup.procs', 'cgroup.subtree_control']) writeFileSync(join(folder, name), '');
  writeFileSync(membership, `1:name=systemd:/\n0::/${own}\n`);
  return folder;
}

const takeOver = () => takeOverCgroup({ root, membership, pid: 42 });

beforeEach(() => {
  const base = createFolder('cgroup');
  root = join(base, 'fs');
  membership = join(base, 'membership');
  mkdirSync(root);
});

afterEach(() => removeFolder(join(root, '..')));

describe('the memory of sandboxes', () => {
  it('is limited by the kernel if the cgroup of the service is delegated to it', () => {
    const folder = makeTree('system.slice/errand.service', 'cpu memory pids');
    expect(takeOver()).toEqual({ by: 'kernel', folder });
    expect(readFileSync(join(folder, 'errand-service/cgroup.procs'), 'utf8')).toBe('42');
    expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('+memory');
  });

  it('is also limited by the kernel if the service has already moved into its own cgroup', () => {
    const folder = makeTree('system.slice/errand.service', 'memory');
    mkdirSync(join(folder, 'errand-service'));
    writeFileSync(membership, '0::/system.slice/errand.service/errand-service\n');
    expect(takeOver()).toEqual({ by: 'kernel', folder });
  });

  it('is otherwise limited by the service, which reports why', () => {
    writeFileSync(membership, '4:memory:/\n0::/\n');
    expect(takeOver()).toMatchObject({ by: 'service', reason: expect.stringContaining('no cgroups v2') as string });
    makeTree('a', 'cpu');
    expect(takeOver()).toMatchObject({ by: 'service', reason: expect.stringContaining('does not control memory') as string });
    rmSync(join(makeTree('b', 'memory'), 'cgroup.subtree_control'));
    expect(takeOver()).toMatchObject({ by: 'service', reason: expect.stringContaining('not delegated') as string });
  });

  it('is limited by the service if the cgroup cannot be divided, and no process stays moved', () => {
    const folder = makeTree('c', 'memory');
    rmSync(join(folder, 'cgroup.subtree_control'));
    mkdirSync(join(folder, 'cgroup.subtree_control'));
    expect(takeOver()).toMatchObject({ by: 'service', reason: expect.stringContaining('cannot be divided') as string });
    expect(readFileSync(join(folder, 'cgroup.procs'), 'utf8')).toBe('42');
  });
});

describe('the cgroup of a sandbox', () => {
  it('has its memory limit without swap, is killed as a whole, and detects that the kernel killed it', () => {
    const folder = join(root, 'errand-sandbox-1');
    const group = SandboxCgroup.open(root, '1', 1000);
    group.join(43);
    const values = ['memory.max', 'memory.oom.group', 'cgroup.procs'].map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(values).toEqual(['1000', '1', '43']);
    expect(group.hasExceededMemory()).toBe(false);
    writeFileSync(join(folder, 'memory.events'), 'oom 1\noom_kill 0\n');
    expect(group.hasExceededMemory()).toBe(false);
    writeFileSync(join(folder, 'memory.events'), 'oom 1\noom_kill 3\n');
    expect(group.hasExceededMemory()).toBe(true);
  });
});
