import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A recorded request: its path, its headers, and its body as it came. */
export interface ImageCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** How a call is answered: with this picture, or with exactly this reply. */
export type ImageReply = { picture: Uint8Array; usage?: { input: number; output: number } } | Reply;

interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** An image provider in the process of the test, which speaks the protocols of OpenAI and Google. */
export interface ImageServer extends AsyncDisposable {
  url: string;
  calls: ImageCall[];
}

function wrap(path: string, { picture, usage }: Extract<ImageReply, { picture: Uint8Array }>): Reply {
  const data = Buffer.from(picture).toString('base64');
  if (path.endsWith(':generateContent')) {
    const parts = [{ inlineData: { mimeType: 'image/png', data } }];
    const usageMetadata = usage && { promptTokenCount: usage.input, candidatesTokenCount: usage.output };
    return {
      status: 200,
      body: JSON.stringify({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata }),
    };
  }
  const tokens = usage && { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.input + usage.output };
  return { status: 200, body: JSON.stringify({ created: 1, data: [{ b64_json: data }], ...(tokens && { usage: tokens }) }) };
}

/** `answer`: null for a call that is never answered. */
export async function startImageServer(
  answer: (call: ImageCall) => Promise<ImageReply | null> | ImageReply | null,
): Promise<ImageServer> {
  const calls: ImageCall[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const path = request.url ?? '';
    const call = { path, headers: request.headers, body: Buffer.concat(pieces) };
    calls.push(call);
    const reply = await answer(call);
    if (reply === null) return;
    const { status, body, headers } = 'picture' in reply ? { headers: {}, ...wrap(path, reply) } : reply;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
