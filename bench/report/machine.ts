import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { median } from './statistics.ts';

const syncs = 50;

/** How long the disk under the temporary folder takes to make one page durable: the floor of every acknowledged write. */
function timeSync(): number {
  const folder = createFolder('bench');
  const file = openSync(path.join(folder, 'page'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: syncs }, () => {
    const startedMs = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - startedMs;
  });
  closeSync(file);
  removeFolder(folder);
  return median(times);
}

function findCommit(): string {
  try {
    const isChanged = execFileSync('git', ['status', '--porcelain', 'src'], { encoding: 'utf8' }) !== '';
    return (
      execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim() + (isChanged ? ' with changes' : '')
    );
  } catch {
    return 'unknown';
  }
}

export interface About {
  date: string;
  commit: string;
  node: string;
  cores: number;
  processor: string;
  memoryGb: number;
  system: string;
  /** Milliseconds to write and sync 4 KB. */
  syncMs: number;
  /** Processes that wanted a core in the minute before; what others do on the machine is in every figure. */
  load: number;
}

/** What has to be known to compare the figures with others. */
export function describeRun(): About {
  const processors = os.cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: findCommit(),
    node: process.version,
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    syncMs: Number(timeSync().toFixed(2)),
    load: Number((os.loadavg()[0] ?? 0).toFixed(1)),
  };
}
