import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import type { MemoryLimit } from '../sandbox.ts';

const host = fileURLToPath(new URL('../../../../test/support/sandbox/cgroup-host.ts', import.meta.url));
const folder = createFolder('cgroup');

interface Report {
  before: string;
  limit: MemoryLimit;
  after: string;
  again: MemoryLimit;
  outcome: unknown;
  left: string[];
}

/** Runs the service's code on cgroups v2 of this machine's kernel, mounted for it alone; an explanation where that is impossible. */
function runOnKernel(): Report | string {
  const script = 'mount -t cgroup2 none "$1" && [ -w "$1/cgroup.procs" ] && exec "$2" "$3" "$1"';
  const args = ['--mount', '--cgroup', 'sh', '-c', script, 'sh', folder, process.execPath, host];
  try {
    return JSON.parse(execFileSync('unshare', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })) as Report;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    if (process.getuid?.() !== 0 || /mount|unshare|EROFS|EACCES|EPERM/.test(stderr ?? ''))
      return `no cgroups v2 to try: ${stderr}`;
    throw error;
  }
}

describe('on the cgroups v2 of this kernel, a service', () => {
  const report = runOnKernel();
  afterAll(() => removeFolder(folder));

  it('divides its cgroup once, or stays where it is and says why', (context) => {
    if (typeof report === 'string') return context.skip(report);
    const { before, limit, after, again } = report;
    expect(again).toEqual(limit);
    if (limit.by === 'kernel') expect(after).toBe(`${before}/errand-service`);
    else expect([after, limit.reason]).toEqual([before, expect.stringMatching(/does not control memory|share the cgroup/)]);
  });

  it('has the kernel kill only the sandbox that exceeds its memory, or opens no cgroup for it and leaves none', (context) => {
    if (typeof report === 'string') return context.skip(report);
    const { limit, outcome, left } = report;
    if (limit.by === 'kernel') expect(outcome).toEqual({ signal: 'SIGKILL', hasExceeded: true, others: false });
    else expect(outcome).toMatch(/^E[A-Z]+$/);
    expect(left).toEqual(limit.by === 'kernel' ? ['errand-service'] : []);
  });
});
