import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { callOlder, older, result, serve } from '../../test/support/connectors/scripted-mcp-server.ts';

const open = (response: ServerResponse, text = '') =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`: hello\n\n${text}`);
const event = (message: object, id?: string) => `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;

describe('a tool call', () => {
  it('fails at once if its stream ends without a result', async () => {
    await using server = await serve(
      older(({ method }, response) => {
        if (method !== 'tools/call') return false;
        open(response);
        response.end();
        return true;
      }),
    );
    await expect(callOlder(server.url)).rejects.toThrow('the server ended the stream without a result');
  });

  it('gets its result from a resumed stream if the server has numbered its events', async () => {
    let resumedFrom: unknown = null;
    let asked: unknown;
    await using server = await serve(
      older(({ request, method, id }, response) => {
        if (request.method === 'GET') {
          resumedFrom = request.headers['last-event-id'];
          open(response, event(result(asked), 'e2'));
          response.end();
          return true;
        }
        if (method !== 'tools/call') return false;
        asked = id;
        open(response, 'id: e1\nretry: 1\ndata:\n\n');
        response.end();
        return true;
      }),
    );
    expect(await callOlder(server.url)).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(resumedFrom).toBe('e1');
  });

  it('fails at once if the server does not resume the stream', async () => {
    await using server = await serve(
      older(({ request, method }, response) => {
        if (request.method === 'GET') {
          response.writeHead(405).end();
          return true;
        }
        if (method !== 'tools/call') return false;
        open(response, 'id: e1\nretry: 1\ndata:\n\n');
        response.end();
        return true;
      }),
    );
    await expect(callOlder(server.url)).rejects.toThrow('the server ended the stream without a result');
  });

  it.each(['json', 'stream', 'nothing'])('fails at once if the server answers another request (%s)', async (way) => {
    await using server = await serve(
      older(({ method }, response) => {
        if (method !== 'tools/call') return false;
        if (way === 'json') response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result(999)));
        else if (way === 'nothing') response.writeHead(202).end();
        else {
          open(response, event(result(999)));
          response.end();
        }
        return true;
      }),
    );
    await expect(callOlder(server.url)).rejects.toThrow(/without a result|did not answer/);
  });

  it('goes on when the server asks for what this client has not declared, which is refused at once', async () => {
    const refused: unknown[] = [];
    let pending: { response: ServerResponse; id: unknown } | null = null;
    await using server = await serve(
      older(({ method, id, error }, response) => {
        if (method === undefined && pending) {
          refused.push([id, error?.code]);
          response.writeHead(202).end();
          pending.response.end(event(result(pending.id)));
          return true;
        }
        if (method !== 'tools/call') return false;
        pending = { response, id };
        const params = { message: 'Your password?', requestedSchema: { type: 'object', properties: {} } };
        open(response, event({ jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params }));
        return true;
      }),
    );
    expect(await callOlder(server.url)).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(refused).toEqual([['q1', -32601]]);
  });
});
