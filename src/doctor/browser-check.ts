import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import type { Sandbox } from '@errand/sandbox';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { findBrowser, findPoppler } from '@errand/sandbox/programs';
import { type Check, type DoctorContext, findProblem } from './check.ts';

const timeoutMs = 30_000;
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-zygote', '--dump-dom'];

/** Why the browser cannot show a page in the sandbox; null if it can. */
async function tryPage(sandbox: Sandbox, program: string, clock: Clock): Promise<string | null> {
  const root = await mkdtemp(join(tmpdir(), 'errand-browser-'));
  const problem = await findProblem(clock, timeoutMs, async (signal) => {
    const { stdout } = await sandbox.run({
      workspace: { root: join(root, 'workspace') },
      command: [program, ...flags, 'data:text/html,<script>document.write(6*7)</script>'],
      limits: { processes: 512, memoryBytes: 1536 * 1024 * 1024 },
      signal,
    });
    if (!stdout.toString().includes('42')) throw new Error(`${program} shows no page`);
  });
  await rm(root, { recursive: true, force: true });
  return problem;
}

async function tryBrowser(program: string, clock: Clock): Promise<string | null> {
  const { sandbox } = await openSandbox({ clock });
  if (sandbox === null) return 'Chromium runs only in the sandbox, which is not available';
  try {
    return await tryPage(sandbox, program, clock);
  } finally {
    await sandbox.close();
  }
}

/** Opens a page in the browser as agents do. */
export async function checkBrowser({ clock }: DoctorContext): Promise<Check> {
  const name = 'chromium';
  const program = findBrowser();
  const problem = program === null ? 'Chromium is not installed' : await tryBrowser(program, clock);
  if (problem === null && findPoppler() === null) {
    const found = 'agents browse, but cannot look at pages that they made: poppler is not installed';
    return { name, state: 'missing', found, remedy: 'on Debian and Ubuntu: apt-get install poppler-utils' };
  }
  if (problem === null) return { name, state: 'ok', found: `${program} works in the sandbox` };
  const remedy =
    program === null ? 'on Debian: apt-get install chromium-headless-shell (or chromium)' : 'see docs/operate/sandbox.md';
  return { name, state: 'missing', found: `agents cannot browse: ${problem}`, remedy };
}
