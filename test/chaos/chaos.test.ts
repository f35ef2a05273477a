import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Child } from '../support/process/child.ts';
import { compiledCode } from '../support/process/compiled-code.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

async function runChaos(args: readonly string[]): Promise<{ code: number | null; text: string }> {
  const env = { ...compiledCode, PATH: process.env['PATH'] ?? '' };
  const child = await Child.start(process.execPath, ['test/chaos/main.ts', ...args], { env, cwd: checkout });
  const { code } = await child.ended;
  return { code, text: child.lines.map(({ text }) => text).join('\n') };
}

it('a short run of chaos loses nothing, and says how to repeat it', async () => {
  const { code, text } = await runChaos(['--minutes', '0.3', '--seed', '5', '--database', 'embedded']);
  expect(text).toMatch(/^seed 5$/m);
  expect(text).toMatch(/^ +[\d.]+ s {2}service 1: \w/m);
  expect(text).toMatch(/^PASSED {2}seed 5, embedded: \d+ faults, [1-9]\d* tasks/m);
  expect(code).toBe(0);
});

it('chaos explains its usage when given an invalid option', async () => {
  const { code, text } = await runChaos(['--database', 'none']);
  expect([code, text]).toEqual([64, expect.stringMatching(/--database must be[^]*npm run chaos/)]);
});
