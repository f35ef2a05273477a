import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least that a service in Node can do: read a JSON body, answer a JSON body of the size ours has. */

const answer = {
  ok: true,
  request_id: `req_${'0'.repeat(22)}`,
  task_id: '0'.repeat(22),
  task_title: 'say done',
  task_url: `http://127.0.0.1:7070/app/${'0'.repeat(22)}`,
  share_visibility: 'private',
};

function reply(response: ServerResponse, isOk: boolean): void {
  const body = JSON.stringify({ ...answer, ok: isOk });
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    reply(response, typeof body === 'object');
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
