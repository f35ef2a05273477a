import { systemClock } from '@errand/base/clock.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import type { Sandbox, SandboxCommand, SandboxResult } from '@errand/sandbox';

const { CI } = process.env;

async function open(): Promise<Sandbox | null> {
  const availability = await openSandbox({ clock: systemClock });
  if (availability.sandbox) return availability.sandbox;
  if (CI) throw new Error(`the sandbox is missing: ${availability.reason}`);
  return null;
}

/** The sandbox of this machine. Tests that need it may be skipped without one, but not in the commit gate. */
export const testSandbox = await open();

export interface RunText extends Pick<SandboxResult, 'end' | 'exitCode'> {
  output: string;
}

/** Runs a command in the folder `root` and returns its output as text. */
export async function runInFolder(
  root: string,
  command: SandboxCommand['command'],
  options: Partial<SandboxCommand> = {},
): Promise<RunText> {
  if (!testSandbox) throw new Error('there is no sandbox');
  const { signal } = new AbortController();
  const { stdout, ...rest } = await testSandbox.run({ workspace: { root }, command, signal, mergesOutput: true, ...options });
  return { end: rest.end, exitCode: rest.exitCode, output: stdout.toString() };
}
