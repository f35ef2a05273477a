import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../report/statistics.ts';
import { Lane } from './lane.ts';
import { encodeRequest } from './load-job.ts';
import type { PacedJob, PacedResult } from './paced-job.ts';

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as PacedJob;
const url = new URL(job.url);
const lanesPerKind = 64;
const tickMs = 10;
let failures = 0;

/** Sends requests of one kind over free connections; those that find none wait, and their wait counts. */
async function openKind(request: Buffer) {
  const free = await Promise.all(Array.from({ length: lanesPerKind }, () => Lane.open(url)));
  const due: number[] = [];
  const times: number[] = [];
  const answer = async (lane: Lane, dueAt: number) => {
    try {
      const status = await lane.ask(request);
      times.push(performance.now() - dueAt);
      if (status >= 300) failures += 1;
      free.push(lane);
      send();
    } catch {
      failures += 1;
    }
  };
  const send = () => {
    while (due.length > 0) {
      const lane = free.pop();
      const dueAt = due[0];
      if (!lane || dueAt === undefined) return;
      due.shift();
      void answer(lane, dueAt);
    }
  };
  return { times, due: (at: number) => (due.push(at), send()), open: () => due.length + lanesPerKind - free.length };
}

const creates = await openKind(encodeRequest(url, job.apiKey, job.create));
const reads = await openKind(encodeRequest(url, job.apiKey, job.read));
const startedAt = performance.now();
let sent = 0;
for (let now = startedAt; now - startedAt < job.durationMs; now = performance.now()) {
  for (const wanted = ((now - startedAt) / 1000) * job.perSecond; sent < wanted; sent += 1) {
    const dueAt = startedAt + (sent / job.perSecond) * 1000;
    creates.due(dueAt);
    reads.due(dueAt);
  }
  await sleep(tickMs);
}
for (let waited = 0; waited < 5000 && creates.open() + reads.open() > 0; waited += tickMs) await sleep(tickMs);
const result: PacedResult = {
  createP50Ms: quantile(creates.times, 0.5),
  createP99Ms: quantile(creates.times, 0.99),
  readP50Ms: quantile(reads.times, 0.5),
  readP99Ms: quantile(reads.times, 0.99),
  failures: failures + creates.open() + reads.open(),
};
console.log(JSON.stringify(result));
process.exit(0);
