import { readFileSync } from 'node:fs';

/**
 * What is used of vitest's JSON report.
 * @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult
 */

/**
 * The closing line of a test run. A file that could not even be loaded counts as one failure, and so does a run that failed
 * otherwise (no report, an error outside every test): a failed run never reads as a passed one.
 * @param {string} report vitest's JSON report, empty when there is none
 * @param {number} exitCode vitest's
 */
export function countTests(report, exitCode) {
  /** @type {{ testResults: FileResult[] }} */
  const { testResults } = report === '' ? { testResults: [] } : JSON.parse(report);
  const statuses = testResults.flatMap(({ status, assertionResults }) => {
    const inside = assertionResults.map((result) => result.status);
    return status === 'failed' && !inside.includes('failed') ? [...inside, 'failed'] : inside;
  });
  const passed = statuses.filter((status) => status === 'passed').length;
  const failed = statuses.filter((status) => status === 'failed').length;
  return `${passed} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`;
}

if (import.meta.main) {
  const [file = '', exitCode = ''] = process.argv.slice(2);
  console.log(countTests(readFileSync(file, 'utf8'), Number(exitCode)));
}
