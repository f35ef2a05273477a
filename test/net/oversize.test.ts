import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ServiceProcess } from '../support/service/supervisor.ts';

const mb = 1024 * 1024;
const atOnce = 50;

/** Sends a body as fast as the service takes it; the status of the answer, 0 when the connection ends without one. */
function pour(port: number, head: string, piece: Buffer, totalBytes: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let handed = 0;
    const end = () => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0));
      socket.destroy();
    };
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.includes('\r\n\r\n')) end();
    });
    socket.on('error', () => undefined);
    socket.on('close', end);
    const more = () => {
      while (handed < totalBytes && !socket.destroyed) {
        handed += piece.length;
        if (!socket.write(piece)) {
          socket.once('drain', more);
          return;
        }
      }
    };
    socket.write(head);
    more();
  });
}

/** Sends a body piece by piece, each when the service has answered another request meanwhile; how much was sent before the refusal. */
async function sendUntilRefused(
  url: string,
  head: string,
  piece: Buffer,
  totalBytes: number,
): Promise<[status: number, mb: number]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(head);
  let sent = 0;
  while (!received.includes('\r\n\r\n') && sent < totalBytes) {
    socket.write(piece);
    sent += piece.length;
    await (await fetch(`${url}/healthz`)).text();
  }
  socket.destroy();
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0), sent / mb];
}

/** What a process has read so far, from files and sockets. What only lies in a socket is not among it. */
function readMb(pid: number): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]) / mb;
}

function residentMb(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const [, kb] = new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

it('rejects 50 bodies of 100 MB after a few of them, however their length is declared, and keeps none in memory', async () => {
  const service = await ServiceProcess.start({ env: { ERRAND_LOG: 'warn', ERRAND_RATE_LIMITS: 'off' } });
  const port = Number(new URL(service.url).port);
  const common = `host: a\r\nx-service-api-key: ${service.apiKey}\r\ncontent-type: application/json\r\n`;
  const post = (lines: string) => `POST /v2/task.stop HTTP/1.1\r\n${common}${lines}\r\n`;
  const block = Buffer.alloc(64 * 1024, 'a');
  const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
  const bomb = gzipSync(Buffer.alloc(20 * mb, 'a'));
  const forms: [name: string, head: string, piece: Buffer, statuses: number[], bytes: number][] = [
    ['with its length', post(`content-length: ${100 * mb}\r\n`), block, [413], 100 * mb],
    ['in chunks', post('transfer-encoding: chunked\r\n'), chunk, [413], 100 * mb],
    // What goes beyond the length is the next request, which is none: it is not answered while the first one is under way.
    ['with a length that is too small', post('content-length: 10\r\n'), block, [400, 0], 100 * mb],
    ['compressed', post(`content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n`), bomb, [400], bomb.length],
  ];
  for (const [, head, piece] of forms) await pour(port, head, piece, 4 * mb);
  const before = residentMb(service.pid, 'VmRSS');
  for (const [name, head, piece, statuses, bytes] of forms) {
    const readBefore = readMb(service.pid);
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => pour(port, head, piece, bytes)));
    for (const status of outcomes) expect([name, statuses.includes(status)]).toEqual([name, true]);
    expect([name, readMb(service.pid) - readBefore < 8 * atOnce]).toEqual([name, true]);
  }
  // The peak of the whole life of the service, its start included.
  expect(residentMb(service.pid, 'VmHWM') - before).toBeLessThan(120);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

it('refuses an oversized body before 2 MB of it are sent, if the client reads meanwhile', async () => {
  const service = await ServiceProcess.start({ env: { ERRAND_LOG: 'warn', ERRAND_RATE_LIMITS: 'off' } });
  const post = (line: string) =>
    `POST /v2/task.stop HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${service.apiKey}\r\ncontent-type: application/json\r\n${line}\r\n\r\n`;
  const block = Buffer.alloc(64 * 1024, 'a');
  const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
  const forms: [head: string, piece: Buffer][] = [
    [post(`content-length: ${100 * mb}`), block],
    [post('transfer-encoding: chunked'), chunk],
  ];
  for (const [head, piece] of forms) {
    const [status, sentMb] = await sendUntilRefused(service.url, head, piece, 100 * mb);
    expect([status, sentMb < 2]).toEqual([413, true]);
  }
});
