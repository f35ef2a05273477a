import { execFile, execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SandboxEnd, SandboxLimits } from '@errand/sandbox';
import { createFolder } from '../process/leftovers.ts';

const host = fileURLToPath(new URL('tenants-host.ts', import.meta.url));
/** Owns nothing on a machine. */
const ordinaryUser = 65_534;
const isRoot = process.getuid?.() === 0;

export interface TenantCommand {
  root: string;
  command: string;
  limits?: Partial<SandboxLimits>;
}

export interface TenantResult {
  end: SandboxEnd | 'failed';
  output: string;
  tookMs: number;
}

export type ServiceUser = 'the current user' | 'an ordinary user';

function become(user: ServiceUser): string[] {
  if (!isRoot || user === 'the current user') return [];
  return ['setpriv', `--reuid=${ordinaryUser}`, `--regid=${ordinaryUser}`, '--clear-groups', '--'];
}

/** Why a service of this user cannot be tested here; null if it can. */
export function findUserObstacle(user: ServiceUser): string | null {
  if (process.platform !== 'linux') return 'there is no sandbox on this system';
  const [program, ...args] = [...become(user), process.execPath, '--check', host];
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return null;
  } catch {
    return `${user} cannot run Node or read the sources here`;
  }
}

/** A folder for the workspaces of a service of this user. */
export function createTenantFolder(user: ServiceUser): string {
  const folder = createFolder('tenants');
  if (become(user).length > 0) chownSync(folder, ordinaryUser, ordinaryUser);
  return folder;
}

/** Runs groups of commands one after another in one service of this user; returns their results and its log. */
export async function runTenants(
  user: ServiceUser,
  groups: readonly (readonly TenantCommand[])[],
): Promise<{ results: TenantResult[][]; log: string }> {
  const [program, ...args] = [...become(user), process.execPath, host, JSON.stringify(groups)];
  const { stdout, stderr } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 26 });
  return {
    results: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TenantResult[]),
    log: stderr,
  };
}
