import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { createWorkspaces } from './workspaces.ts';

let data: string;

beforeEach(() => {
  data = createFolder('workspaces');
});

afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwx', data]);
  removeFolder(data);
});

describe('the workspaces', () => {
  it('are one folder per task, below its account', async () => {
    const workspaces = createWorkspaces(join(data, 'all'));
    expect(await workspaces.list()).toEqual([]);
    await workspaces.open('acc1', 'task1').write('a.txt', 'one');
    await workspaces.open('acc1', 'task2').write('a.txt', 'two');
    await workspaces.open('acc2', 'task3').write('a.txt', 'three');
    expect(readFileSync(join(data, 'all/acc1/task1/a.txt'), 'utf8')).toBe('one');
    expect((await workspaces.open('acc1', 'task2').read('a.txt')).toString()).toBe('two');
    writeFileSync(join(data, 'all/acc1/.DS_Store'), '');
    const owners = (await workspaces.list()).map(({ accountId, taskId }) => `${accountId}/${taskId}`);
    expect(owners.sort()).toEqual(['acc1/task1', 'acc1/task2', 'acc2/task3']);
  });

  it.each(['..', '.', '', 'a/b', '../acc2', 'a\0', 'x'.repeat(65)])('are never created for the id %j', async (id) => {
    const workspaces = createWorkspaces(data);
    expect(() => workspaces.open('acc1', id)).toThrow(expect.objectContaining({ code: 'internal' }));
    expect(() => workspaces.open(id, 'task1')).toThrow(expect.objectContaining({ code: 'internal' }));
    await expect(workspaces.remove('acc1', id)).rejects.toMatchObject({ code: 'internal' });
    await expect(workspaces.remove(id, 'task1')).rejects.toMatchObject({ code: 'internal' });
  });

  it('say what they lack since they were restored until that has been told, out of reach of tool code', async () => {
    const workspaces = createWorkspaces(data);
    const leftOut = { count: 60, files: [{ path: 'a.sock', reason: 'special' as const }] };
    await workspaces.open('acc1', 'task1').write('a.txt', '');
    expect(await workspaces.leftOut('acc1', 'task1')).toBeNull();
    await workspaces.setLeftOut('acc1', 'task1', leftOut);
    expect(await workspaces.leftOut('acc1', 'task1')).toEqual(leftOut);
    expect(await workspaces.open('acc1', 'task1').list('.', 9)).toHaveLength(1);
    await workspaces.setLeftOut('acc1', 'task1', null);
    expect(await workspaces.leftOut('acc1', 'task1')).toBeNull();
    await workspaces.setLeftOut('acc1', 'task1', leftOut);
    await workspaces.remove('acc1', 'task1');
    expect(readdirSync(join(data, 'acc1'))).toEqual([]);
  });

  it('are removed if a newer copy is elsewhere and they have been left alone, with their notes', async () => {
    const workspaces = createWorkspaces(data);
    const { root } = workspaces.open('acc1', 'task1');
    const fill = async (generation: number) => {
      await workspaces.open('acc1', 'task1').write('a/b.txt', 'x');
      await workspaces.setGeneration('acc1', 'task1', generation);
      utimesSync(root, 1000, 1000);
    };
    await fill(3);
    const remove = (newest: number, beforeMs: number) => workspaces.removeStale('acc1', 'task1', newest, beforeMs);
    expect([await remove(3, 2_000_000), await remove(4, 1_000_000)]).toEqual([false, false]);
    expect(existsSync(join(root, 'a/b.txt'))).toBe(true);
    mkdirSync(`${root}.stale/left/by/a/crash`, { recursive: true });
    chmodSync(root, 0o000);
    expect([await remove(4, 2_000_000), await remove(4, 2_000_000)]).toEqual([true, false]);
    expect(readdirSync(join(data, 'acc1'))).toEqual([]);
  });

  it('are removed with everything in them, and nothing else', async () => {
    const workspaces = createWorkspaces(data);
    const outside = join(data, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'keep.txt'), 'keep');
    const task = workspaces.open('acc1', 'task1');
    await task.write('a/b/c.txt', 'x');
    symlinkSync(outside, join(task.root, 'link'));
    symlinkSync(outside, join(task.root, 'a/b/link'));
    await workspaces.open('acc1', 'task2').write('x', 'x');
    await workspaces.remove('acc1', 'task1');
    await workspaces.remove('acc1', 'task1');
    await workspaces.remove('nobody', 'task1');
    expect(readdirSync(join(data, 'acc1'))).toEqual(['task2']);
    expect(readdirSync(outside)).toEqual(['keep.txt']);
  });

  it('are removed whatever the depth, names, number and modes of their folders', async () => {
    const workspaces = createWorkspaces(data);
    const { root, write } = workspaces.open('acc1', 'task1');
    await write('x', 'x');
    execFileSync('sh', ['-c', hostileTree], { cwd: root });
    buryFolders(root);
    await workspaces.remove('acc1', 'task1');
    expect(existsSync(root)).toBe(false);
  });
});

/** Files in number, non-UTF-8 names, locked folders. */
const hostileTree = `
  i=0; while [ $i -lt 1500 ]; do : > f$i; i=$((i+1)); done
  mkdir "$(printf '\\377\\376')" && : > "$(printf '\\377\\376/\\200')"
  mkdir -p shut/inner read-only/inner && : > read-only/inner/f && chmod 555 read-only read-only/inner && chmod 000 shut
`;

/** 120 levels and a path half as long again as the system allows. */
function buryFolders(root: string): void {
  const chain = Array.from({ length: 40 }, () => 'd'.repeat(50)).join('/');
  for (const name of ['bottom', 'middle', 'top']) mkdirSync(join(root, name, chain), { recursive: true });
  renameSync(join(root, 'bottom'), join(root, 'middle', chain, 'bottom'));
  renameSync(join(root, 'middle'), join(root, 'top', chain, 'middle'));
}
