import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A language model that writes replies slowly: OpenAI's chat protocol. A conversation that says "wait 1" is answered after a second, one
 * that says "stream 10" with fifty tokens a second for ten seconds, any other with one token and then nothing until its caller leaves.
 * Prints its URL.
 */
const tokenMs = 20;
const open = new Map<ServerResponse, number>();

function writeFrame(response: ServerResponse, delta: Record<string, unknown>, finishReason: string | null): void {
  const frame = { id: 'r', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] };
  response.write(`data: ${JSON.stringify(frame)}\n\n`);
}

function end(response: ServerResponse): void {
  writeFrame(response, {}, 'stop');
  response.end('data: [DONE]\n\n');
}

function begin(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const waitMs = Number(/wait (\d+)/.exec(body)?.[1] ?? 0) * 1000;
  if (waitMs > 0) return void setTimeout(() => (writeFrame(response, { content: 'Done.' }, null), end(response)), waitMs);
  writeFrame(response, { content: 'A' }, null);
  const seconds = Number(/stream (\d+)/.exec(body)?.[1] ?? 0);
  if (seconds > 0) open.set(response, (seconds * 1000) / tokenMs);
  response.once('close', () => open.delete(response));
}

setInterval(() => {
  for (const [response, left] of open) {
    if (left > 0) writeFrame(response, { content: ' token' }, null);
    else {
      open.delete(response);
      end(response);
    }
    if (left > 0) open.set(response, left - 1);
  }
}, tokenMs);

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.once('end', () => begin(response, Buffer.concat(pieces).toString()));
});
server.listen(0, '127.0.0.1', 4096, () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }));
});
