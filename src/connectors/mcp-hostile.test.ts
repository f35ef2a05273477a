import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { callOlder, json, older, result, serve } from '../../test/support/connectors/scripted-mcp-server.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { connectorLimits } from '../rules/connectors/connector.ts';
import { calling, callTool, explainMcp, listMcpTools, listTools, type McpHttpClient, withClient } from './mcp-client.ts';

const local: McpHttpClient = { httpClient: createSafeFetch({ allow: ['127.0.0.0/8'], clock: systemClock }), allowHttp: true };
const { signal } = new AbortController();
const list = (url: string) => listMcpTools(local, { url, headers: {} }, signal);

/** Lets a test answer the calls of tools only. */
const calls = (answer: (response: ServerResponse, id: unknown) => void) =>
  older(({ method, id }, response) => {
    if (method !== 'tools/call') return false;
    answer(response, id);
    return true;
  });

const megabyte = 'x'.repeat(1024 * 1024);

/** Writes until the other side has had enough. */
function flood(response: ServerResponse, text: string): void {
  const more = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', more);
  more();
}

describe('a hostile server', () => {
  it.each(['application/json', 'text/event-stream'])('cannot send a result without end as %s', async (type) => {
    await using server = await serve(
      calls((response) => {
        response.writeHead(200, { 'content-type': type });
        flood(response, type === 'application/json' ? megabyte : `data: ${megabyte}\n\n`);
      }),
    );
    expect(await callOlder(server.url).catch(explainMcp)).toMatch(/sends more than 16777216 bytes/);
  });

  it('cannot keep a call by ending and resuming its stream for ever', async () => {
    let streams = 0;
    await using server = await serve(
      older(({ request, method }, response) => {
        if (request.method !== 'GET' && method !== 'tools/call') return false;
        streams += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`id: ${streams}\nretry: 0\ndata:\n\n`);
        return true;
      }),
    );
    expect(await callOlder(server.url).catch(explainMcp)).toContain('ended the stream without a result');
    expect(streams).toBe(51);
  });

  it('cannot send the client elsewhere, not even on its own machine', async () => {
    await using other = await serve(older(() => false));
    await using server = await serve((_, response) => response.writeHead(307, { location: other.url }).end());
    await expect(list(server.url)).rejects.toThrow();
    expect(other.seen).toEqual([]);
  });

  it('cannot fill memory or threads with schemas: large ones are left out, patterns and references are not followed', async () => {
    const bomb = { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*$' }, b: { $ref: '#/properties/b' } } };
    const tools = [
      { name: 'fits', inputSchema: bomb, outputSchema: { type: 'object', properties: { a: { pattern: '^(a|a)*$' } } } },
      { name: 'large', inputSchema: { type: 'object', description: megabyte } },
    ];
    await using server = await serve(
      older(({ method, id }, response) => {
        if (method === 'tools/list') json(response, id, { result: { tools } });
        return method === 'tools/list';
      }),
    );
    expect((await list(server.url)).map(({ name }) => name)).toEqual(['fits']);
  });

  it('cannot have its schema of results compiled and matched in this process', async () => {
    const outputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*$' } }, required: ['a'] };
    const tool = { name: 'trap', inputSchema: { type: 'object' }, outputSchema };
    await using server = await serve(
      older(({ method, id }, response) => {
        if (method === 'tools/list') json(response, id, { result: { tools: [tool] } });
        // A pattern that is matched would refuse this.
        if (method === 'tools/call') json(response, id, { result: { content: [], structuredContent: { a: 'b' } } });
        return method === 'tools/list' || method === 'tools/call';
      }),
    );
    const structured = await withClient(local, { url: server.url, headers: {} }, { ...calling, signal }, async (client) => {
      const [listed] = await listTools(client, signal);
      return listed && (await callTool(client, { tool: listed, input: {}, signal })).structuredContent;
    });
    expect(structured).toEqual({ a: 'b' });
  });

  it('gets a clear error for a schema that is nested without end', async () => {
    const deep = `${'{"properties":{"a":'.repeat(20_000)}{}${'}}'.repeat(20_000)}`;
    await using server = await serve(
      older(({ method, id }, response) => {
        if (method !== 'tools/list') return false;
        const text = `{"jsonrpc":"2.0","id":${String(id)},"result":{"tools":[{"name":"a","inputSchema":${deep}}]}}`;
        response.writeHead(200, { 'content-type': 'application/json' }).end(text);
        return true;
      }),
    );
    expect(await list(server.url).catch(explainMcp)).toBe('the server sends data that is nested too deeply');
  });

  it('cannot list tools for ever', async () => {
    let pages = 0;
    await using server = await serve(
      older(({ method, id }, response) => {
        if (method !== 'tools/list') return false;
        pages += 1;
        const tools = Array.from({ length: 10 }, (_, at) => ({ name: `t${pages}-${at}`, inputSchema: { type: 'object' } }));
        json(response, id, { result: { tools, nextCursor: String(pages) } });
        return true;
      }),
    );
    expect(await list(server.url)).toHaveLength(connectorLimits.tools);
    expect(pages).toBe(13);
  });

  it('cannot answer with other ids, several times, or with nonsense', async () => {
    await using server = await serve(
      calls((response, id) => {
        const lines = [
          'nonsense',
          '{}',
          '[]',
          'null',
          JSON.stringify(result('other')),
          JSON.stringify(result(id)),
          JSON.stringify(result(id)),
        ];
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.map((line) => `data: ${line}\n\n`).join(''));
      }),
    );
    expect(await callOlder(server.url)).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
  });

  it.each(['nonsense', 'null', '[]', '[null]', '""'])('gets a clear error for the JSON response %s', async (text) => {
    await using server = await serve(
      calls((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)),
    );
    expect(await callOlder(server.url).catch(explainMcp)).toMatch(/did not answer the request|JSON/);
  });
});
