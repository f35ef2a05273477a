import { expect, it } from 'vitest';
import { findFailedFiles, replaceResults } from './repeat-failed.mjs';

const passed = { name: '/a.test.ts', status: 'passed' };
const failed = { name: '/b.test.ts', status: 'failed' };

it('repeats the files that failed', () => {
  expect(findFailedFiles({ testResults: [passed, failed] })).toEqual(['/b.test.ts']);
});

it('repeats nothing if so many files failed that it cannot be chance', () => {
  const testResults = Array.from({ length: 9 }, (_, index) => ({ ...failed, name: `/${index}.test.ts` }));
  expect(findFailedFiles({ testResults })).toEqual([]);
});

it('replaces the results of files that ran again, and of no others', () => {
  const again = { testResults: [{ ...failed, status: 'passed' }] };
  expect(replaceResults({ testResults: [passed, failed] }, again)).toEqual({
    testResults: [passed, { ...failed, status: 'passed' }],
  });
  expect(replaceResults({ testResults: [passed, failed] }, { testResults: [] })).toEqual({ testResults: [passed, failed] });
});
