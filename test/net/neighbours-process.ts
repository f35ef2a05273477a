import { systemClock } from '@errand/base/clock.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';

// Runs as a separate process, so that its memory is that of the HTTP client. Prints the outcome of each request as JSON.

const [hostileJson = '', good = '', totalText = ''] = process.argv.slice(2);
const hostile = Object.entries(JSON.parse(hostileJson) as Record<string, string>);
const totalMs = Number(totalText);
const goodReceivers = 20;
const httpClient = createSafeFetch({ allow: ['127.0.0.1/32'], clock: systemClock });

interface Sent {
  outcome: string;
  ms: number;
}

async function send(url: string): Promise<Sent> {
  const begin = performance.now();
  const limits = { totalMs, connectMs: totalMs, maxBytes: 65_536, redirects: 3 };
  const request = { url, method: 'POST', body: '{}', allowHttp: true, ...limits } as const;
  const outcome = await httpClient.request(request).then(
    ({ status, isTruncated }) => `${status}${isTruncated ? ' cut' : ''}`,
    (error: unknown) => (error instanceof OutboundFault ? error.kind : String(error)),
  );
  return { outcome, ms: performance.now() - begin };
}

async function sendMany(count: number) {
  const sent: Sent[] = [];
  for (let index = 0; index < count; index += 1) sent.push(await send(good));
  return sent;
}

const serveAll = async () => (await Promise.all(Array.from({ length: goodReceivers }, () => sendMany(40)))).flat();

const rounds = [{ alone: await serveAll(), served: [] as Sent[] }];
const before = process.memoryUsage().rss;
let peak = before;
const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);

const fought: (Sent & { name: string })[] = [];
// In turns, so that what else the machine does falls on both alike.
for (const round of [0, 1, 2]) {
  const alone = rounds[round]?.alone ?? (await serveAll());
  const attacks = [...hostile, ...hostile].map(async ([name, url]) => ({ name, ...(await send(url)) }));
  const [ends, served] = await Promise.all([Promise.all(attacks), serveAll()]);
  fought.push(...ends);
  rounds[round] = { alone, served };
  // What is kept of the rounds is no cost of theirs.
  clearInterval(sampling);
}
console.log(JSON.stringify({ rounds, fought, grownBytes: peak - before }));
