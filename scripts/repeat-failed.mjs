import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * What is used of vitest's JSON report.
 * @typedef {{ name: string, status: string }} FileResult
 * @typedef {{ testResults: FileResult[] }} Report
 */

/** More failing files than this are not a coincidence. */
const mostFiles = 8;

/**
 * The files of a failed run that are worth a second look: none if the run failed for a reason outside every file.
 * @param {Report} report
 */
export function findFailedFiles({ testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return failed.length > mostFiles ? [] : failed;
}

/**
 * The report of a run in which some files ran again.
 * @param {Report} report
 * @param {Report} again
 * @returns {Report}
 */
export function replaceResults(report, again) {
  const repeated = new Map(again.testResults.map((result) => [result.name, result]));
  return { ...report, testResults: report.testResults.map((result) => repeated.get(result.name) ?? result) };
}

/**
 * Runs the failed files of a run again, alone, and says which passed then.
 * @param {string} reportFile the JSON report of the run, in which the new results replace the old ones
 * @param {string[]} command runs vitest, up to the names of its files
 * @returns {number} an exit code
 */
function repeatFailed(reportFile, [program = '', ...args]) {
  const text = readFileSync(reportFile, 'utf8');
  /** @type {Report} */
  const report = text === '' ? { testResults: [] } : JSON.parse(text);
  const files = findFailedFiles(report);
  if (files.length === 0) return 1;
  console.log(`\nfailed beside other tests, and run again alone:\n${files.map((file) => `  ${file}`).join('\n')}\n`);
  // The file stays: the command may belong to another user, who may write to it but not make another.
  writeFileSync(reportFile, '');
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, '--maxWorkers=1'];
  const { status } = spawnSync(program, [...args, ...options, ...files], { stdio: ['ignore', 'inherit', 'inherit'] });
  const repeatedText = readFileSync(reportFile, 'utf8');
  const merged = replaceResults(report, repeatedText === '' ? { testResults: [] } : JSON.parse(repeatedText));
  writeFileSync(reportFile, JSON.stringify(merged));
  for (const { name } of merged.testResults.filter((result) => files.includes(result.name) && result.status === 'passed'))
    console.log(`unstable: ${name} failed beside other tests and passed alone; mend it`);
  return status ?? 1;
}

if (import.meta.main) process.exitCode = repeatFailed(process.argv[2] ?? '', process.argv.slice(3));
