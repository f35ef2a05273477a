import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeOverCgroup } from '../../../packages/sandbox/src/limits/delegated-cgroup.ts';
import { SandboxCgroup } from '../../../packages/sandbox/src/limits/sandbox-cgroup.ts';

/**
 * Acts as a service in a cgroup of its own, in the kernel's hierarchy mounted at the given folder: takes it over, and lets a process of a
 * sandbox exceed its memory. Prints what happened as a line of JSON, and leaves nothing in the hierarchy.
 */
const root = process.argv[2] ?? '';
const base = join(root, `errand-test-${process.pid}`);
const readOwn = () => /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
const move = (folder: string) => writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));

/** The controllers of the hierarchy's top are given to its children only if something asks for it. */
function enableMemory(): void {
  try {
    writeFileSync(join(root, 'cgroup.subtree_control'), '+memory');
  } catch {
    // Memory is controlled elsewhere, or the top has processes of its own.
  }
}

async function exceed(folder: string): Promise<{ signal: unknown; hasExceeded: boolean; others: boolean }> {
  const [group, other] = ['greedy', 'modest'].map((name) => SandboxCgroup.open(folder, name, 64 * 1024 * 1024));
  const child = spawn('sh', ['-c', 'read -r _; head -c 300M /dev/zero | tail -c 1'], { stdio: ['pipe', 'ignore', 'ignore'] });
  group?.join(child.pid ?? 0);
  child.stdin.end('\n');
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  const outcome = { signal, hasExceeded: group?.hasExceededMemory() === true, others: other?.hasExceededMemory() === true };
  group?.close();
  other?.close();
  return outcome;
}

/** The error of opening the cgroup of a sandbox where memory cannot be limited. */
function refuse(folder: string): string {
  try {
    SandboxCgroup.open(folder, 'refused', 1).close();
    return 'not refused';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

enableMemory();
mkdirSync(base);
move(base);
const before = readOwn();
const limit = takeOverCgroup({ root, membership: '/proc/self/cgroup', pid: process.pid });
const after = readOwn();
const again = takeOverCgroup({ root, membership: '/proc/self/cgroup', pid: process.pid });
const outcome = limit.by === 'kernel' ? await exceed(limit.folder) : refuse(base);
const left = readdirSync(base, { withFileTypes: true }).filter((entry) => entry.isDirectory());
console.log(JSON.stringify({ before, limit, after, again, outcome, left: left.map(({ name }) => name) }));
move(root);
if (existsSync(join(base, 'errand-service'))) rmdirSync(join(base, 'errand-service'));
rmdirSync(base);
