import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ServiceProcess } from '../support/supervisor.ts';

const mb = 1024 * 1024;
const atOnce = 50;

interface Outcome {
  status: number;
  /** What had left this side when the answer came. */
  sentBytes: number;
}

/** Sends a body as fast as the service takes it, until there is an answer or the connection ends. */
function pour(port: number, head: string, piece: Buffer, totalBytes: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let handed = 0;
    const end = () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);
      resolve({ status, sentBytes: socket.bytesWritten - socket.writableLength });
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

function residentMb(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const [, kb] = new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

it('refuses 50 bodies of 100 MB at once after a few of them, however their length is told, and keeps none in memory', async () => {
  const service = await ServiceProcess.start({ env: { ERRAND_LOG: 'warn', ERRAND_RATE_LIMITS: 'off' } });
  const port = Number(new URL(service.url).port);
  const common = `host: a\r\nx-service-api-key: ${service.apiKey}\r\ncontent-type: application/json\r\n`;
  const post = (lines: string) => `POST /v2/task.stop HTTP/1.1\r\n${common}${lines}\r\n`;
  const block = Buffer.alloc(64 * 1024, 'a');
  const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
  const bomb = gzipSync(Buffer.alloc(20 * mb, 'a'));
  const forms: [name: string, head: string, piece: Buffer, statuses: number[]][] = [
    ['with its length', post(`content-length: ${100 * mb}\r\n`), block, [413]],
    ['in chunks', post('transfer-encoding: chunked\r\n'), chunk, [413]],
    // What goes beyond the length is the next request, which is none: it is not answered while the first one is under way.
    ['with a length that is too small', post('content-length: 10\r\n'), block, [400, 0]],
    ['compressed', post(`content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n`), bomb, [400, 0]],
  ];
  for (const [, head, piece] of forms) await pour(port, head, piece, 4 * mb);
  const before = residentMb(service.pid, 'VmRSS');
  for (const [name, head, piece, statuses] of forms) {
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => pour(port, head, piece, 100 * mb)));
    for (const { status, sentBytes } of outcomes) {
      // What nobody has read lies in the sockets of both sides, which Linux lets grow to ten megabytes together.
      expect([name, statuses.includes(status), sentBytes < 16 * mb]).toEqual([name, true, true]);
    }
  }
  // The peak of the whole life of the service, its start included.
  expect(residentMb(service.pid, 'VmHWM') - before).toBeLessThan(120);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});
