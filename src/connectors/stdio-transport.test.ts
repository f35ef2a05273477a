import { describe, expect, it } from 'vitest';
import { PassThrough } from 'node:stream';
import type { Sandbox, SandboxCommand } from '@errand/sandbox';
import { SandboxTransport } from './stdio-transport.ts';

const megabyte = 1024 * 1024;

/** A command that outputs these chunks at once and ends when its signal aborts. */
function speakingSandbox(chunks: readonly Buffer[]): Sandbox {
  return {
    languages: [],
    programs: [],
    modules: [],
    run: ({ talk, signal }: SandboxCommand) => {
      talk?.begin(new PassThrough());
      for (const chunk of chunks) talk?.receive(chunk);
      signal.throwIfAborted();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    close: () => Promise.resolve(),
  };
}

async function receive(...chunks: Buffer[]): Promise<{ reported: number[]; problem: string | null }> {
  const command = { workspace: { root: '/w' }, command: 'server' } as unknown as SandboxCommand;
  const transport = new SandboxTransport(speakingSandbox(chunks), command, () => undefined);
  const reported: number[] = [];
  Object.assign(transport, { onmessage: (message: object) => reported.push(JSON.stringify(message).length) });
  await transport.start();
  const { problem } = transport;
  await transport.close();
  return { reported, problem };
}

const message = (bytes: number) => Buffer.from(`${JSON.stringify({ text: 'x'.repeat(bytes) })}\n`);

describe('messages of a command', () => {
  it('are delivered line by line, however they are split', async () => {
    const line = message(5);
    expect(await receive(Buffer.concat([line, line.subarray(0, 4)]), line.subarray(4))).toEqual({
      reported: [16, 16],
      problem: null,
    });
    expect((await receive(message(15 * megabyte))).reported).toHaveLength(1);
  });

  it('end it if one is too long, whole or in pieces, and neither that one nor later ones are delivered', async () => {
    const long = message(17 * megabyte);
    const problem = 'it sent a message that is too long';
    expect(await receive(long, message(5))).toEqual({ reported: [], problem });
    expect(await receive(message(5), long.subarray(0, -1), Buffer.from('\n'), message(5))).toEqual({ reported: [16], problem });
  });
});
