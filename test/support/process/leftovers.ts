import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The guard's input, one JSON object per line. */
export interface GuardOrder {
  kind: 'process' | 'folder';
  value: string;
  /** True if it is gone already and no longer the guard's concern. */
  isGone: boolean;
}

let guard: (ChildProcess & { stdin: Writable }) | null = null;

/**
 * Informs the guard, a process that briefly outlives this one. It detects our end by the end of its input, however we end (done, failed,
 * interrupted, killed), and then kills and deletes whatever is still on its list.
 */
function order(kind: GuardOrder['kind'], value: string, isGone: boolean): void {
  if (!guard) {
    const script = fileURLToPath(new URL('./leftovers-guard.ts', import.meta.url));
    guard = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    guard.unref();
  }
  guard.stdin.write(`${JSON.stringify({ kind, value, isGone } satisfies GuardOrder)}\n`);
}

/** Registers the process group of `pid` to be killed after this test run. */
export function guardProcess(pid: number): void {
  order('process', String(pid), false);
}

/** Forgets a process as soon as it has ended, because its pid may be reused. */
export function releaseProcess(pid: number): void {
  order('process', String(pid), true);
}

/** An empty folder, below the system's temporary one or the given one, that is deleted after the test run at the latest. */
export function createFolder(name: string, parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(realpathSync(parent), `errand-test-${name}-`));
  order('folder', folder, false);
  return folder;
}

/** Removes a folder of `createFolder` before the end of the run. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  order('folder', folder, true);
}
