import { PassThrough } from 'node:stream';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../test/support/base/test-clock.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Sandbox, SandboxCommand, SandboxResult } from '@errand/sandbox';
import { callTool, listTools } from './mcp-client.ts';
import { StdioServers } from './stdio-servers.ts';

/** A pattern that takes longer than anyone lives, and one that is none. */
const hostile = {
  type: 'object',
  properties: { text: { type: 'string', pattern: '^(a|a)*$' }, other: { type: 'string', pattern: '(' } },
};

type Message = { id?: number; method?: string; params?: { protocolVersion?: string } };

/** A sandbox in which every command is an MCP server with one tool; `crash` ends them all. */
function createFakeSandbox() {
  const state = { starts: 0, running: 0, crash: (): void => undefined };
  const run = ({ talk, signal }: SandboxCommand): Promise<SandboxResult> => {
    state.starts += 1;
    state.running += 1;
    const input = new PassThrough();
    const say = (id: number | undefined, result: object) =>
      talk?.receive(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`));
    input.on('data', (chunk: Buffer) => {
      const { id, method, params } = JSON.parse(chunk.toString()) as Message;
      const about = {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      };
      if (method === 'initialize') say(id, about);
      if (method === 'tools/list') say(id, { tools: [{ name: 'x', inputSchema: hostile, outputSchema: hostile }] });
      if (method === 'tools/call') say(id, { content: [], structuredContent: { text: `${'a'.repeat(40)}b` } });
    });
    talk?.begin(input);
    return new Promise((resolve, reject) => {
      const end = () => {
        state.running -= 1;
      };
      state.crash = () => {
        end();
        resolve({ end: 'exit', exitCode: 1, stdout: Buffer.alloc(0), stderr: Buffer.from('ouch') });
      };
      signal.addEventListener('abort', () => {
        end();
        reject(signal.reason as Error);
      });
    });
  };
  const sandbox: Sandbox = { languages: [], programs: [], modules: [], run, close: () => Promise.resolve() };
  return { state, sandbox };
}

function createServers() {
  const clock = new TestClock();
  const { state, sandbox } = createFakeSandbox();
  const memoryLimit = { by: 'service', reason: 'this is a test' } as const;
  const parts = { sandbox: () => Promise.resolve({ sandbox, memoryLimit }), clock, log: silentLog, folder: '/nowhere' };
  return { clock, state, servers: new StdioServers({ ...parts, policy: { kind: 'none' } }) };
}

const server = (connectorId: string) => ({ key: { accountId: 'a', connectorId }, line: 'x', folder: null, env: {} });

const { signal } = new AbortController();
const list = (client: Client) => listTools(client, signal);

describe('a stdio server', () => {
  it('is started once for all users, ended when idle, and ends with the process', async () => {
    const { clock, state, servers } = createServers();
    const use = (id: string) => servers.use(server(id), signal, list);
    const found = await Promise.all([use('one'), use('one'), use('two')]);
    expect([found.map((tools) => tools.map(({ name }) => name)), state.starts]).toEqual([[['x'], ['x'], ['x']], 2]);
    await clock.advance(4 * 60_000);
    await use('one');
    await clock.advance(2 * 60_000);
    expect([state.starts, state.running]).toEqual([2, 1]);
    await servers.close();
    expect(state.running).toBe(0);
  });

  it('is not validated against its schemas, whose patterns could block the service', async () => {
    const { servers } = createServers();
    const called = await servers.use(server('one'), signal, async (client) => {
      // Fills the cache from which the package takes schemas.
      await client.listTools();
      return callTool(client, { tool: { name: 'x', inputSchema: {} }, input: { text: `${'a'.repeat(40)}b` }, signal });
    });
    expect(called.structuredContent).toEqual({ text: `${'a'.repeat(40)}b` });
    await servers.close();
  });

  it('accepts calls of another account, however many calls one account makes', async () => {
    const { servers } = createServers();
    const [busy, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let started = 0;
    const hold = async () => {
      started += 1;
      if (started === 8) busy.resolve();
      await free.promise;
    };
    const flood = Array.from({ length: 20 }, (_, index) => servers.use(server(`server ${index}`), signal, hold));
    await busy.promise;
    const modest = { ...server('modest'), key: { accountId: 'b', connectorId: 'modest' } };
    expect(await servers.use(modest, signal, list)).toHaveLength(1);
    expect(started).toBe(8);
    free.resolve();
    await Promise.all(flood);
    expect(started).toBe(20);
    await servers.close();
  });

  it('backs off after unexpected exits, until it works', async () => {
    const { clock, state, servers } = createServers();
    const use = () => servers.use(server('one'), signal, list);
    const crash = () =>
      servers.use(server('one'), signal, async (client) => {
        state.crash();
        return client.listTools();
      });
    await expect(crash()).rejects.toThrow('its command ended with 1: ouch');
    await expect(use()).rejects.toThrow('its command has ended 1 times; it is started again in 1 s');
    await clock.advance(1000);
    await expect(crash()).rejects.toThrow('ouch');
    await clock.advance(1000);
    await expect(use()).rejects.toThrow('its command has ended 2 times; it is started again in 1 s');
    await clock.advance(1000);
    await expect(use()).resolves.toHaveLength(1);
    await expect(crash()).rejects.toThrow('ouch');
    await expect(use()).rejects.toThrow('its command has ended 1 times');
    await servers.close();
  });
});
