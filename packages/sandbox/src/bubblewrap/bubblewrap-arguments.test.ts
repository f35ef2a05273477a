import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { buildArguments, descriptors } from './bubblewrap-arguments.ts';
import { defaultLimits } from '../sandbox.ts';

/** Runs the first process of a sandbox as a plain process; returns its output and exit code. */
async function runFirst({ isServiceThere }: { isServiceThere: boolean }): Promise<[output: string, exitCode: number]> {
  const sources = { workspace: '/w', library: null, memory: null, egress: null, nodeFile: '/n/node' };
  const command = ['echo', 'ran'];
  const args = buildArguments({ systemMounts: [], sources, command, env: {}, hasInput: false, limits: defaultLimits });
  const [program = '', ...rest] = args.slice(args.indexOf('--') + 1);
  const idle = Array.from({ length: descriptors.guard - 3 }, () => 'ignore' as const);
  const first = spawn(program, rest, { stdio: ['pipe', 'pipe', 'ignore', ...idle, 'pipe'] });
  const guard = first.stdio.at(descriptors.guard) as unknown as Writable;
  const closed = once(first, 'close');
  let output = '';
  first.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  if (!isServiceThere) await new Promise<void>((resolve) => guard.end(resolve));
  first.stdin?.end('\n');
  const [exitCode] = (await once(first, 'exit')) as [number];
  guard.destroy();
  await closed;
  return [output, exitCode];
}

describe('the first process of a sandbox', () => {
  it('runs the given command first', async () => {
    expect(await runFirst({ isServiceThere: true })).toEqual(['ran\n', 0]);
  });

  it('runs nothing if the service that started it is gone', async () => {
    expect(await runFirst({ isServiceThere: false })).toEqual(['', 125]);
  });
});
