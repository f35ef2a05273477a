import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, longest first; others take less than ten seconds on two cores. */
const long = [
  'test/browser/web-xss.test.ts',
  'test/crash/kill-rounds.test.ts',
  'test/browser/web-pages.test.ts',
  'test/bench/smoke.test.ts',
  'test/browser/web-live.test.ts',
  'test/crash/takeover.test.ts',
  'test/browser/web-task.test.ts',
  'test/crash/database-outage.test.ts',
  'test/browser/hostile-content.test.ts',
  'test/bridges/telegram.test.ts',
  'test/browser/web-previews.test.ts',
  'test/crash/bridge-crash.test.ts',
  'test/crash/stop.test.ts',
  'test/neighbours/',
  'test/browser/',
  'test/crash/',
  'test/bridges/',
  'test/net/',
  'test/context/',
  'test/cli/',
  'test/access/',
  'test/',
];

/** Runs slow files first, so that short ones fill up the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      const path = moduleId.slice(project.config.root.length + 1);
      const index = long.findIndex((name) => path.startsWith(name));
      return index < 0 ? long.length : index;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
