import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { explainFailure } from './program-failure.ts';

const run = promisify(execFile);
const limits = { timeout: 60_000, maxBuffer: 1024 };

const fail = (code: string, changes: Partial<typeof limits> = {}) =>
  run(process.execPath, ['-e', code], { ...limits, ...changes }).catch(explainFailure('/usr/bin/pdfinfo', 60_000));

it('a program that is missing is said to be missing, not that the file cannot be read', async () => {
  const missing = run('no-such-program', ['a.pdf'], limits).catch(explainFailure('pdfinfo', 60_000));
  await expect(missing).rejects.toThrow(/^pdfinfo is not installed on this machine; the file is not at fault$/);
});

it('a program that writes more than is read is said to do that', async () => {
  await expect(fail("process.stdout.write('x'.repeat(5000))")).rejects.toThrow(
    /^pdfinfo wrote more than can be read; make the file smaller$/,
  );
});

it('a program that does not end is said to have taken long', async () => {
  await expect(fail('setInterval(() => {}, 1000)', { timeout: 1 })).rejects.toThrow(
    /^pdfinfo took longer than 60 seconds; try again, or make the file smaller$/,
  );
});

it('a program that refuses a file is quoted', async () => {
  await expect(fail("console.error('Warning\\nNo trailer'); process.exit(1)")).rejects.toThrow(
    /^pdfinfo cannot read it: No trailer$/,
  );
  await expect(fail('process.exit(1)')).rejects.toThrow(/^pdfinfo cannot read it$/);
});
