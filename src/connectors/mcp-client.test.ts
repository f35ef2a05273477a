import { describe, expect, it } from 'vitest';
import { McpServerUnderTest } from '../../test/support/connectors/mcp-server-under-test.ts';
import { json, older, serve } from '../../test/support/connectors/scripted-mcp-server.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { calling, callTool, explainMcp, listMcpTools, type McpHttpClient, withClient } from './mcp-client.ts';
import { SignInNeeded } from './mcp-fetch.ts';

const local: McpHttpClient = { httpClient: createSafeFetch({ allow: ['127.0.0.0/8'], clock: systemClock }), allowHttp: true };
const { signal } = new AbortController();

function call(url: string, tool = 'add', input: Record<string, unknown> = { a: 2, b: 3 }) {
  return withClient(local, { url, headers: {} }, { ...calling, signal }, (client) =>
    callTool(client, { tool: { name: tool, inputSchema: { type: 'object' } }, input, signal }),
  );
}

describe('a server', () => {
  it('is used in the revision that it understands, the newest or an older one', async () => {
    await using modern = await McpServerUnderTest.start();
    modern.controls.isModernOnly = true;
    expect((await listMcpTools(local, { url: modern.url, headers: {} }, signal)).map(({ name }) => name)).toContain('add');
    expect((await call(modern.url)).content).toEqual([{ type: 'text', text: '5' }]);
    await using old = await serve(older(() => false));
    expect((await listMcpTools(local, { url: old.url, headers: {} }, signal)).map(({ name }) => name)).toEqual(['a']);
    expect(old.seen).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'tools/list']);
  });

  it.each([400, 404, 500, 501])('of an older revision may answer an unknown method with status %i', async (status) => {
    await using old = await serve(
      older(({ method }, response) => {
        if (method !== 'server/discover') return false;
        response.writeHead(status, { 'content-type': 'text/plain' }).end('what?');
        return true;
      }),
    );
    expect((await listMcpTools(local, { url: old.url, headers: {} }, signal)).map(({ name }) => name)).toEqual(['a']);
  });

  it('that requires sign-in, or is forbidden by rules of this service, says so before its revision is known', async () => {
    await using closed = await McpServerUnderTest.start();
    closed.controls.apiKey = 'a key';
    await expect(listMcpTools(local, { url: closed.url, headers: {} }, signal)).rejects.toThrow(SignInNeeded);
    const strict: McpHttpClient = { httpClient: createSafeFetch({ allow: [], clock: systemClock }), allowHttp: true };
    const problem = await listMcpTools(strict, { url: closed.url, headers: {} }, signal).catch(explainMcp);
    expect(problem).toMatch(/^the host 127\.0\.0\.1 .*not public/);
  });
});

describe('a tool of revision 2026-07-28', () => {
  const about = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ...{ serverInfo: { name: 'new', version: '1' }, ttlMs: 0, cacheScope: 'private' },
  };
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const invalid = { type: 'object', properties: { region: { type: 'array', 'x-mcp-header': 'Region' } } };

  it('gets the arguments in headers that its schema names, and is not offered if it names them wrongly', async () => {
    const headers: unknown[] = [];
    await using modern = await serve(({ request, id, method }, response) => {
      headers.push(request.headers['mcp-param-region']);
      if (method === 'server/discover') json(response, id, { result: about });
      else if (method === 'tools/list') {
        const tools = [
          { name: 'good', inputSchema },
          { name: 'bad', inputSchema: invalid },
        ];
        json(response, id, { result: { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' } });
      } else json(response, id, { result: { resultType: 'complete', content: [] } });
    });
    const tools = await listMcpTools(local, { url: modern.url, headers: {} }, signal);
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    await withClient(local, { url: modern.url, headers: {} }, { ...calling, signal }, (client) =>
      callTool(client, { tool: { name: 'good', inputSchema }, input: { region: 'eu' }, signal }),
    );
    expect(headers.at(-1)).toBe('eu');
  });

  it('that wants input from the user fails at once, because this client has not declared that', async () => {
    const elicit = {
      method: 'elicitation/create',
      params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
    };
    await using modern = await serve(({ id, method }, response) => {
      if (method === 'server/discover') json(response, id, { result: about });
      else json(response, id, { result: { resultType: 'input_required', inputRequests: { a: elicit }, requestState: 'x' } });
    });
    await expect(call(modern.url)).rejects.toThrow(/elicitation/);
    expect(modern.seen).toEqual(['server/discover', 'tools/call']);
  });
});
