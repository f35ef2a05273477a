import { execFile } from 'node:child_process';
import { release } from 'node:os';
import { execPath, pid, platform } from 'node:process';
import { promisify } from 'node:util';
import type { Clock } from '@errand/base/clock.ts';
import { createSafeConnect, type SafeConnect } from '@errand/base/net/safe-connect.ts';
import { Fault } from '@errand/base/fault.ts';
import { type Log, silentLog } from '@errand/base/log.ts';
import { listSystemMounts } from './bubblewrap/bubblewrap-arguments.ts';
import { type Ground, runCommand } from './bubblewrap/bubblewrap-run.ts';
import { launchEnvironment } from './bubblewrap/bubblewrap-launcher.ts';
import type { Sandbox, SandboxAvailability, SandboxCommand } from './sandbox.ts';
import { sandboxUser } from './workspace/sandbox-user.ts';
import { buildSeccompFilter } from './bubblewrap/seccomp-filter.ts';
import { type SandboxFindings, testSandbox } from './bubblewrap/sandbox-self-test.ts';
import { machineCgroups, takeOverCgroup } from './limits/delegated-cgroup.ts';
import { UsageMeter } from './limits/resource-meter.ts';

/** Time limit of the test, long enough for the slowest machine; only a hanging sandbox times out. */
const testDeadlineMs = 20_000;

/** Older versions count all processes of the user against the process limit. */
const oldestKernel = [5, 14] as const;

export interface SandboxOptions {
  clock: Clock;
  /** Records failures of the sandbox itself; nothing by default. */
  log?: Log;
  /** Bubblewrap, by name or path. */
  program?: string;
  /** Network access for commands that are given one; public addresses by default. */
  connect?: SafeConnect;
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

/** Why this machine cannot have a sandbox, as far as known without testing; null if nothing prevents it. */
async function findObstacle(program: string): Promise<string | null> {
  if (platform !== 'linux') return 'commands and code run on Linux only';
  if (isOlder(release(), oldestKernel)) return `the kernel is ${release()}; ${oldestKernel.join('.')} or later is needed`;
  try {
    const { stdout } = await promisify(execFile)(program, ['--help'], { env: launchEnvironment });
    const isRecent = ['--disable-userns', '--size', '--json-status-fd'].every((option) => stdout.includes(option));
    return isRecent ? null : 'bubblewrap is too old; Debian 12, Ubuntu 24.04 and later have one that is not';
  } catch {
    return 'bubblewrap is not installed; on Debian and Ubuntu: apt-get install bubblewrap';
  }
}

type Findings = Omit<SandboxFindings, 'broken'>;

/** What works inside the guards on this machine, or why they cannot be relied on. */
async function tryGuards(run: Sandbox['run'], clock: Clock): Promise<Findings | { problem: string }> {
  const deadline = new AbortController();
  const timer = clock.setTimer(() => deadline.abort(new Error('a command did not end in time')), testDeadlineMs);
  try {
    const { broken, ...findings } = await testSandbox({ run }, deadline.signal);
    if (broken.length === 0) return findings;
    return { problem: `the sandbox does not hold on this machine, what is broken: ${broken.join('; ')}` };
  } catch (error) {
    const detail = error instanceof Fault ? error.detail : String(error);
    return { problem: `bubblewrap cannot work here (docs/operate/sandbox.md has the remedies): ${detail?.trim()}` };
  } finally {
    timer.cancel();
  }
}

/** The sandbox of this machine, after each of its guards was tested. */
export async function openSandbox({
  clock,
  log = silentLog,
  program = 'bwrap',
  connect,
}: SandboxOptions): Promise<SandboxAvailability> {
  const filter = buildSeccompFilter();
  if (!filter) return { sandbox: null, reason: 'no filter of system calls is known for this processor' };
  const obstacle = await findObstacle(program);
  if (obstacle !== null) return { sandbox: null, reason: obstacle };
  const memoryLimit = takeOverCgroup(machineCgroups(pid));
  const meter = new UsageMeter(log);
  const systemMounts = await listSystemMounts();
  const ground: Ground = {
    clock,
    program,
    nodeFile: execPath,
    systemMounts,
    filter,
    user: sandboxUser,
    meter,
    memoryLimit,
    log,
    connect: connect ?? createSafeConnect({ allow: [], clock }),
  };
  const run = (command: SandboxCommand) => runCommand(ground, command);
  const result = await tryGuards(run, clock);
  // Its thread costs memory; the first command of a task restarts it.
  await meter.close();
  if ('languages' in result) return { sandbox: { ...result, run, close: () => meter.close() }, memoryLimit };
  return { sandbox: null, reason: result.problem };
}
