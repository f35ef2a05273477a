import { randomBytes } from 'node:crypto';
import { buildWebhooks } from '../../src/app/channels/build-webhooks.ts';
import { systemClock } from '@errand/base/clock.ts';
import { newId, randomFraction } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { openSqlite } from '../../src/store/sqlite-open.ts';
import { listAll, createReported } from '../support/webhooks/webhook-samples.ts';
import { createWebhook } from '../../src/store/webhooks/webhooks.ts';

// Runs as a separate process, so that its memory is that of the worker. Sends events to good receivers alone, then to good
// and hostile ones together, and prints how long events to the good ones waited and took.

const [folder = '', hostileJson = '', good = ''] = process.argv.slice(2);
const hostile = Object.values(JSON.parse(hostileJson) as Record<string, string>);
const receivers = 20;
const eventsEach = 10;

const database = await openSqlite(folder, systemClock);
const box = new SealedBox('the secret of this test');
const webhooks = buildWebhooks({
  database,
  box,
  httpClient: createSafeFetch({ allow: ['127.0.0.1/32'], clock: systemClock }),
  acceptsHttp: true,
  clock: systemClock,
  log: silentLog,
  chance: randomFraction,
  drainMs: 0,
});
for (const worker of webhooks.workers) await worker.start();

/** Accounts with one webhook each. */
async function register(urls: readonly string[]): Promise<string[]> {
  const accountIds = urls.map(() => newId(systemClock.now()));
  for (const [index, accountId] of accountIds.entries()) {
    const webhookId = newId(systemClock.now());
    await database.run(createWebhook, {
      accountId,
      webhookId,
      url: urls[index] ?? '',
      apiVersion: 'v2',
      oauthClientId: null,
      sealedSecret: box.seal(`whsec_${randomBytes(32).toString('base64')}`, `webhooks ${webhookId} secret`),
      now: systemClock.now(),
    });
  }
  return accountIds;
}

/** Milliseconds from each new event to the end of its delivery, once all have arrived. */
async function deliverAll(accountIds: readonly string[]): Promise<number[]> {
  const begin = systemClock.now();
  await Promise.all(accountIds.map((accountId) => createReported(database, accountId, eventsEach)));
  for (;;) {
    const deliveries = (await Promise.all(accountIds.map((accountId) => listAll(database, accountId)))).flat();
    if (deliveries.every(({ status }) => status === 'delivered')) {
      const made = deliveries.flatMap(({ log }) => log).filter(({ atMs }) => atMs >= begin);
      return made.map(({ atMs, durationMs }) => atMs + durationMs - begin);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const usual = await register(Array.from({ length: receivers }, () => good));
// Again and again, so that the memory that any work needs is there before the measurement begins.
const alone: number[][] = [];
for (let round = 0; round < 10; round += 1) alone.push(await deliverAll(usual));
const before = process.memoryUsage().rss;
let peak = before;
const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
const enemies = await register([...hostile, ...hostile].slice(0, receivers));
const friends = await register(Array.from({ length: receivers }, () => good));
await Promise.all(enemies.map((accountId) => createReported(database, accountId, eventsEach)));
const served = [await deliverAll(friends)];
// The hostile ones continue for a while, so that their cost shows.
for (let round = 0; round < 5; round += 1) await deliverAll(friends.slice(0, 1));
clearInterval(sampling);
// Again, without a look at the memory.
for (let round = 0; round < 4; round += 1) served.push(await deliverAll(friends));
console.log(JSON.stringify({ alone, served, grownBytes: peak - before }));
for (const worker of webhooks.workers) await worker.stop();
await database.close();
