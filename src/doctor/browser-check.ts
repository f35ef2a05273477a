import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import { findBrowser } from '@errand/sandbox/programs/find-browser.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox.ts';
import type { Sandbox } from '@errand/sandbox/sandbox.ts';

const patienceMs = 30_000;

export interface BrowserCheck {
  /** Where the browser is; null where there is none. */
  program: string | null;
  /** Why it cannot be used; null when it can. */
  problem: string | null;
}

async function openPage(sandbox: Sandbox, program: string, clock: Clock): Promise<string | null> {
  const root = await mkdtemp(join(tmpdir(), 'errand-browser-'));
  const deadline = new AbortController();
  const timer = clock.setTimer(() => deadline.abort(new Error('it did not answer in time')), patienceMs);
  try {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-zygote', '--dump-dom'];
    const command = [program, ...flags, 'data:text/html,<script>document.write(6*7)</script>'];
    const limits = { processes: 512, memoryBytes: 1536 * 1024 * 1024 };
    const { stdout } = await sandbox.run({
      workspace: { root: join(root, 'workspace') },
      command,
      limits,
      signal: deadline.signal,
    });
    return stdout.toString().includes('42') ? null : `${program} shows no page`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    timer.cancel();
    await rm(root, { recursive: true, force: true });
  }
}

/** Opens the browser of this machine in the sandbox, and closes both again. */
export async function tryBrowser(clock: Clock): Promise<BrowserCheck> {
  const program = findBrowser();
  if (program === null) return { program, problem: 'Chromium is not installed' };
  const availability = await openSandbox({ clock });
  if (availability.sandbox === null) return { program, problem: 'it runs in the sandbox only, and there is none' };
  try {
    return { program, problem: await openPage(availability.sandbox, program, clock) };
  } finally {
    await availability.sandbox.close();
  }
}
