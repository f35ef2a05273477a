import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Child } from '../support/process/child.ts';
import { compiledCode } from '../support/process/compiled-code.ts';
import { isNightly } from '../support/process/crash-run.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';

interface Report {
  /** By rounds. */
  alone: number[][];
  served: number[][];
  grownBytes: number;
}

/** Less than the time that a hostile receiver is given, which a good one behind it would have to wait. */
const mostDelayedMs = isNightly ? 1_000 : 9_000;

async function runProgram(name: string, args: readonly string[] = []): Promise<Child> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  return Child.start(process.execPath, ['--no-warnings', script, ...args], {
    env: { ...compiledCode, PATH: process.env.PATH ?? '' },
    cwd: '/',
  });
}

/** The time within which 99 of 100 are done. */
function findSlowest(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length * 0.99)] ?? 0;
}

// Memory that grows only because a busy machine collects garbage late does not do so every time.
it('20 hostile webhooks do not delay 20 good ones, and cost less than 50 MB', { retry: 2 }, async () => {
  const folder = createFolder('neighbours');
  try {
    const servers = await runProgram('hostile-servers.ts');
    const { text } = await servers.waitForLine(({ source }) => source === 'stdout');
    const { hostile, good } = JSON.parse(text) as { hostile: Record<string, string>; good: string };
    const worker = await runProgram('webhook-neighbours-process.ts', [folder, JSON.stringify(hostile), good]);
    const line = await worker.waitForLine(({ source }) => source === 'stdout');
    const report = JSON.parse(line.text) as Report;
    servers.signal('SIGKILL');
    await Promise.all([servers.ended, worker.ended]);
    expect(report.served.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200]);
    // A machine that needs long for the good ones alone, or in one round, is busy with other things.
    const [alone, served] = [Math.min(...report.alone.map(findSlowest)), Math.min(...report.served.map(findSlowest))];
    expect(served).toBeLessThan(Math.max(mostDelayedMs, 5 * alone));
    expect(report.grownBytes).toBeLessThan(50_000_000);
  } finally {
    removeFolder(folder);
  }
});
