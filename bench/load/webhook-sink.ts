import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver of webhooks in a process of its own. A POST is answered at once and noted; a GET answers with what was noted.

interface Arrival {
  type: string;
  taskId: string;
  /** Wall-clock milliseconds. */
  at: number;
}

const arrivals: Arrival[] = [];

function note(text: string): void {
  const { event_type: type, task_detail: detail } = JSON.parse(text) as { event_type: string; task_detail?: { task_id: string } };
  arrivals.push({ type, taskId: detail?.task_id ?? '', at: Date.now() });
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(arrivals));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    note(Buffer.concat(chunks).toString());
    response.writeHead(204).end();
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
