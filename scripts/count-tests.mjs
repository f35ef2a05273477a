import { readFileSync } from 'node:fs';

/**
 * What is used of vitest's JSON report.
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} TestResult
 * @typedef {{ name?: string, status: string, message?: string, assertionResults: TestResult[] }} FileResult
 */

/** @param {string | undefined} message */
const firstLine = (message) => message?.trim().split('\n', 1)[0] ?? '';

/**
 * A line for each failed test: its file, its name, and the first line of its error. The end of a long log is all that some read of it.
 * @param {string} report vitest's JSON report, empty when there is none
 */
export function listFailures(report) {
  /** @type {{ testResults: FileResult[] }} */
  const { testResults } = report === '' ? { testResults: [] } : JSON.parse(report);
  return testResults.flatMap(({ name = '', status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [`failed: ${name}: ${firstLine(message)}`];
    return failed.map((result) => `failed: ${name} > ${result.fullName}: ${firstLine(result.failureMessages?.[0])}`);
  });
}

/**
 * What a test run came to. A file that could not even be loaded counts as one failure, and so does a run that failed
 * otherwise (no report, an error outside every test): a failed run never reads as a passed one.
 * @param {string} report vitest's JSON report, empty when there is none
 * @param {number} exitCode vitest's
 */
function countRun(report, exitCode) {
  /** @type {{ testResults: FileResult[] }} */
  const { testResults } = report === '' ? { testResults: [] } : JSON.parse(report);
  const statuses = testResults.flatMap(({ status, assertionResults }) => {
    const inside = assertionResults.map((result) => result.status);
    return status === 'failed' && !inside.includes('failed') ? [...inside, 'failed'] : inside;
  });
  const passed = statuses.filter((status) => status === 'passed').length;
  const failed = statuses.filter((status) => status === 'failed').length;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/**
 * The closing line of a gate that ran tests once or several times.
 * @param {...[report: string, exitCode: number]} runs
 */
export function countTests(...runs) {
  const counts = runs.map((run) => countRun(...run));
  const sum = (/** @type {'passed' | 'failed'} */ kind) => counts.reduce((total, count) => total + count[kind], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  /** @type {[string, number][]} */
  const runs = [];
  for (let at = 0; at < args.length; at += 2) runs.push([readFileSync(args[at] ?? '', 'utf8'), Number(args[at + 1])]);
  for (const line of runs.flatMap(([report]) => listFailures(report))) console.log(line);
  console.log(countTests(...runs));
}
