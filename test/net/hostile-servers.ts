import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setInterval } from 'node:timers';
import { flood, RawServer } from './raw-server.ts';
import { StalledServer } from './stalled-server.ts';

// Runs as a separate process and prints the URLs of its servers as one line of JSON.

const head = 'HTTP/1.1 200 OK\r\n';

function drip(socket: Socket, first: string, byte: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(byte), 100);
  socket.on('close', () => clearInterval(timer));
}

/** What each of them does once it has heard a request. */
const behaviours: Record<string, (socket: Socket) => void> = {
  'endless headers': (socket) => {
    socket.write(head);
    flood(socket, `a: ${'b'.repeat(1000)}\r\n`.repeat(60));
  },
  'endless interim answers': (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2000)),
  'a gigabyte of body': (socket) => {
    socket.write(`${head}content-length: 1073741824\r\n\r\n`);
    flood(socket, Buffer.alloc(65_536, 'x'));
  },
  'chunks full of extensions': (socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    flood(socket, `1;${'a'.repeat(10_000)}\r\nx\r\n`.repeat(6));
  },
  'dripping headers': (socket) => drip(socket, head, 'a'),
  'a dripping body': (socket) => drip(socket, `${head}content-length: 100000\r\n\r\n`, 'x'),
  'no answer at all': () => {},
  'a redirect to this machine': (socket) =>
    socket.end('HTTP/1.1 302 Found\r\nlocation: http://[::1]:1/\r\ncontent-length: 0\r\n\r\n'),
};

const urls: Record<string, string> = {};
for (const [name, behave] of Object.entries(behaviours)) {
  const server = await RawServer.start((socket) => socket.once('data', () => behave(socket)));
  urls[name] = `http://127.0.0.1:${server.port}/`;
}
const plain = await RawServer.start((socket) => flood(socket, 'this is not TLS'));
urls['bad TLS'] = `https://127.0.0.1:${plain.port}/`;
const stalled = await StalledServer.start();
urls['a stalled connection'] = `http://127.0.0.1:${stalled.port}/`;

const good = createServer((request, response) => request.resume().on('end', () => response.end('ok'))).listen(0, '127.0.0.1');
await once(good, 'listening');
console.log(JSON.stringify({ hostile: urls, good: `http://127.0.0.1:${(good.address() as AddressInfo).port}/` }));
