import { describe, expect, it } from 'vitest';
import { PassThrough } from 'node:stream';
import type { Sandbox, SandboxCommand } from '@errand/sandbox/sandbox.ts';
import { SandboxTransport } from './stdio-transport.ts';

const megabyte = 1024 * 1024;

/** A command that says these chunks at once, and is ended as its signal asks. */
function speakingSandbox(chunks: readonly Buffer[]): Sandbox {
  return {
    languages: [],
    programs: [],
    run: ({ talk, signal }: SandboxCommand) => {
      talk?.begin(new PassThrough());
      for (const chunk of chunks) talk?.hear(chunk);
      signal.throwIfAborted();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    close: () => Promise.resolve(),
  };
}

async function hear(...chunks: Buffer[]): Promise<{ told: number[]; problem: string | null }> {
  const command = { workspace: { root: '/w' }, command: 'server' } as unknown as SandboxCommand;
  const transport = new SandboxTransport(speakingSandbox(chunks), command, () => undefined);
  const told: number[] = [];
  Object.assign(transport, { onmessage: (message: object) => told.push(JSON.stringify(message).length) });
  await transport.start();
  const { problem } = transport;
  await transport.close();
  return { told, problem };
}

const message = (bytes: number) => Buffer.from(`${JSON.stringify({ text: 'x'.repeat(bytes) })}\n`);

describe('messages of a command', () => {
  it('are told line by line, however they are cut', async () => {
    const line = message(5);
    expect(await hear(Buffer.concat([line, line.subarray(0, 4)]), line.subarray(4))).toEqual({ told: [16, 16], problem: null });
    expect((await hear(message(15 * megabyte))).told).toHaveLength(1);
  });

  it('end it when one is too long, whole or in pieces, and nothing of that one or behind it is told', async () => {
    const long = message(17 * megabyte);
    const problem = 'it sent a message that is too long';
    expect(await hear(long, message(5))).toEqual({ told: [], problem });
    expect(await hear(message(5), long.subarray(0, -1), Buffer.from('\n'), message(5))).toEqual({ told: [16], problem });
  });
});
