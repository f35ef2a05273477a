import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { buildArguments, descriptors, supervisor } from './bubblewrap-arguments.ts';
import { defaultLimits } from '../sandbox.ts';

/** Runs the first process of a sandbox as a plain process; returns its output and exit code. */
async function runFirst(gone: 'nobody' | 'service' | 'supervisor'): Promise<[output: string, exitCode: number]> {
  const sources = { workspace: '/w', library: null, layer: null, fonts: null, memory: null, egress: null, nodeFile: '/n/node' };
  const command = ['echo', 'ran'];
  const args = buildArguments({ systemMounts: [], sources, command, env: {}, hasInput: false, limits: defaultLimits });
  const [program = '', ...rest] = args.slice(args.indexOf('--') + 1);
  const idle = Array.from({ length: descriptors.guard - 3 }, () => 'ignore' as const);
  const first = spawn(program, rest, { stdio: ['pipe', 'pipe', 'ignore', ...idle, 'pipe', 'pipe'] });
  const guard = first.stdio.at(descriptors.guard) as unknown as Writable;
  const parents = first.stdio.at(supervisor.read) as unknown as Writable;
  const closed = once(first, 'close');
  let output = '';
  first.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = { nobody: null, service: guard, supervisor: parents }[gone];
  if (ended) await new Promise<void>((resolve) => ended.end(resolve));
  first.stdin?.end('\n');
  const [exitCode] = (await once(first, 'exit')) as [number];
  guard.destroy();
  parents.destroy();
  await closed;
  return [output, exitCode];
}

describe('the first process of a sandbox', () => {
  it('runs the given command first', async () => {
    expect(await runFirst('nobody')).toEqual(['ran\n', 0]);
  });

  it('runs nothing if the service that started it is gone', async () => {
    expect(await runFirst('service')).toEqual(['', 125]);
  });

  it('runs nothing if its supervisor is gone, while threads of the dying service still hold its pipes', async () => {
    expect(await runFirst('supervisor')).toEqual(['', 125]);
  });
});
