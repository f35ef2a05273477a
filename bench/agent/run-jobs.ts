import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jobs } from './index.ts';
import type { TestedJob } from './job.ts';
import { type JobResult, Stages } from './play-jobs.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the test that does the job. */
function runTest({ name, file, test, env }: TestedJob): JobResult {
  const startedAt = performance.now();
  const argv = ['node_modules/vitest/vitest.mjs', 'run', '--configLoader', 'runner', file, '-t', test];
  const { status, stdout } = spawnSync(process.execPath, argv, {
    cwd: checkout,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  const problem = status === 0 ? null : stdout.slice(-1500);
  return { name, problem, isSkipped: false, steps: 0, seconds: (performance.now() - startedAt) / 1000 };
}

function renderResult({ name, problem, isSkipped, steps, seconds }: JobResult): string {
  const verdict = isSkipped ? 'skipped' : problem === null ? 'pass' : 'FAIL';
  return `${name.padEnd(22)} ${verdict.padEnd(8)} ${String(steps).padStart(5)} ${seconds.toFixed(1).padStart(8)}`;
}

/**
 * Plays jobs and prints a line for each, then what is wrong with those that failed.
 * @returns how many failed
 */
export async function runJobs(names: readonly string[], print: (line: string) => void): Promise<number> {
  const wanted = jobs.filter(({ name }) => names.length === 0 || names.includes(name));
  const stages = new Stages();
  const results: JobResult[] = [];
  print(`${'job'.padEnd(22)} ${'result'.padEnd(8)} ${'steps'.padStart(5)} ${'seconds'.padStart(8)}`);
  try {
    for (const job of wanted) {
      const result = job.kind === 'tested' ? runTest(job) : await stages.play(job);
      results.push(result);
      print(renderResult(result));
    }
  } finally {
    await stages.end();
  }
  const failed = results.filter(({ problem }) => problem !== null);
  for (const { name, problem } of failed) print(`\n${name}: ${problem}`);
  print(`\n${results.length - failed.length} of ${results.length} jobs passed or were skipped`);
  return failed.length;
}
