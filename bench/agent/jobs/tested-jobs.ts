import type { TestedJob } from '../job.ts';

function tested(name: string, about: string, file: string, test: string, env?: Record<string, string>): TestedJob {
  return { kind: 'tested', name, about, file, test, ...(env && { env }) };
}

/** What needs a clock, a kill, or a second machine of its own, and has its test elsewhere. */
export const testedJobs: TestedJob[] = [
  tested(
    'outage',
    'an outage of hours is waited out, by the clock of the test',
    'src/agent/model-fallback.test.ts',
    'waits an outage of hours out',
  ),
  tested(
    'fallback',
    'another model takes over from one that is overloaded',
    'src/agent/model-fallback.test.ts',
    'replace one another at once',
  ),
  tested(
    'planted-facts',
    '60 facts over 500 steps, as the loop alone sees them',
    'src/agent/planted-facts.test.ts',
    'still knows 60 facts',
  ),
  tested('thousand-rows-offline', '1,000 rows with the built-in model', 'test/tasks/map-rows.test.ts', 'answers a thousand rows'),
  tested(
    'row-kills',
    '1,000 rows in 20 rounds of kills, each answered once',
    'test/crash/map-rows.test.ts',
    'no row is asked about again',
    { ERRAND_TEST_ROUNDS: '200' },
  ),
  tested(
    'lost-processes',
    'after a kill the agent reads which processes are gone',
    'test/crash/lost-processes.test.ts',
    'is gone with it',
  ),
  tested(
    'browser-kill',
    'after a kill the browser goes on with its page',
    'test/crash/browser-after-kill.test.ts',
    'goes on after the restart',
  ),
  tested(
    'move',
    'a workspace follows its task to another machine',
    'test/crash/workspace-move.test.ts',
    'follows its task to another machine',
  ),
  tested(
    'setup',
    'a setup script installs what tasks of the project find',
    'src/tools/commands/run-setup.test.ts',
    'installs programs and modules',
  ),
];
