import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { beginRun, isNightly, percentile } from '../support/process/crash-run.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

/** How long a client may stay connected without completing a request. */
const timeoutMs = 15_000;
/** The pause between two bytes of a slow client. */
const dripMs = 1000;

type Kind = 'half a head' | 'half a body';

/** A client that sends as slowly as it can, without end; resolves with how long it stayed connected. */
function dawdle(port: number, kind: Kind, key: string): Promise<number> {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  const head = `host: a\r\nx-service-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n`;
  socket.write(kind === 'half a head' ? 'GET /v2/task.list HTTP/1.1\r\nx: ' : `POST /v2/task.stop HTTP/1.1\r\n${head}{`);
  const drip = setInterval(() => socket.write('a'), dripMs);
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearInterval(drip);
      resolve(performance.now() - startedAt);
    });
  });
}

it.runIf(isNightly)('disconnects 2,000 slow clients without affecting others', async () => {
  const run = beginRun('slow clients', { gate: 60, night: 2000 });
  const service = await ServiceProcess.start({ env: { ERRAND_LOG: 'warn', ERRAND_RATE_LIMITS: 'off' } });
  const port = Number(new URL(service.url).port);
  const headers = { 'x-service-api-key': service.apiKey };
  const dawdling = Array.from({ length: run.rounds }, (_, index) =>
    dawdle(port, index % 2 === 0 ? 'half a head' : 'half a body', service.apiKey),
  );
  const over = new AbortController();
  const times: number[] = [];
  const refused: number[] = [];
  const honest = (async () => {
    while (!over.signal.aborted) {
      const before = performance.now();
      const { status } = await fetch(`${service.url}/v2/task.list`, { headers });
      times.push(performance.now() - before);
      if (status !== 200) refused.push(status);
    }
  })();
  const lasted = await Promise.all(dawdling);
  over.abort();
  await honest;
  const p99Ms = percentile(times, 0.99);
  run.measure({ longestMs: Math.round(Math.max(...lasted)), honestP99Ms: p99Ms, honest: times.length });
  expect(Math.max(...lasted)).toBeLessThan(timeoutMs);
  expect(refused).toEqual([]);
  expect(p99Ms).toBeLessThan(250);
});
