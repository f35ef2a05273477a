import { expect, it } from 'vitest';
import { countTests, listFailures } from './count-tests.mjs';

/** @param {[string, string[]][]} files */
const report = (...files) =>
  JSON.stringify({
    testResults: files.map(([status, tests]) => ({ status, assertionResults: tests.map((result) => ({ status: result })) })),
  });

it('counts tests over all files, without the skipped ones', () => {
  expect(countTests([report(['passed', ['passed', 'passed', 'pending']], ['failed', ['passed', 'failed']]), 1])).toBe(
    '3 passed, 1 failed',
  );
  expect(countTests([report(['passed', ['passed']]), 0])).toBe('1 passed, 0 failed');
});

it('adds up several runs, each of which can fail by itself', () => {
  const passed = report(['passed', ['passed', 'passed']]);
  expect(countTests([passed, 0], [passed, 0])).toBe('4 passed, 0 failed');
  expect(countTests([passed, 0], ['', 1])).toBe('2 passed, 1 failed');
});

it('counts a file that could not be loaded as a failure', () => {
  expect(countTests([report(['failed', []], ['passed', ['passed']]), 1])).toBe('1 passed, 1 failed');
});

it.each([
  ['without a report', ''],
  ['for a reason outside every test', report(['passed', []])],
])('never calls a run passed that failed %s', (_reason, text) => {
  expect(countTests([text, 1])).toBe('0 passed, 1 failed');
});

it('names each failed test with the first line of its error, and a file that could not be loaded', () => {
  const testResults = [
    {
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'adds' },
        { status: 'failed', fullName: 'counts rows', failureMessages: ['AssertionError: expected 1\n  at a.test.ts:3'] },
      ],
    },
    { name: 'b.test.ts', status: 'failed', message: 'cannot find module', assertionResults: [] },
  ];
  expect(listFailures(JSON.stringify({ testResults }))).toEqual([
    'failed: a.test.ts > counts rows: AssertionError: expected 1',
    'failed: b.test.ts: cannot find module',
  ]);
  expect(listFailures('')).toEqual([]);
});
