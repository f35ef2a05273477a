import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { OwnRateLimiter, type RateLimiter, SharedRateLimiter } from '../../src/http/rate-limits/rate-limiter.ts';
import { defaultRates, type RateClass } from '../../src/rules/instance/rate-window.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { addOwner, type Answer, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

type Rates = Partial<Record<RateClass, number>>;

/** Each store is limited as the service limits it: by one process, or by what all of them share. */
function limitersOf(store: OpenStore, rates: Rates): RateLimiter[] {
  const all = { ...defaultRates, ...rates };
  if (store.engine === 'sqlite') return [new OwnRateLimiter(systemClock, all)];
  return [store.database, ...store.others].map((database) => new SharedRateLimiter(database, systemClock, all));
}

function rateHeaders({ headers }: Answer) {
  const read = (name: string) => Number(headers.get(`ratelimit-${name}`));
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset'), policy: headers.get('ratelimit-policy') };
}

describeStores('a limited account', (store) => {
  const create = (api: ApiUnderTest, options: Json = {}) => api.call('task.create', { message: { content: 'x' } }, options);

  it('is admitted exactly its number of requests per class, over all its keys, and told the remainder', async () => {
    const [limiter] = limitersOf(store, { create: 5 });
    await using api = await ApiUnderTest.start(store.database, { limiter });
    const stranger = await addOwner(store.database);
    const answers: Answer[] = [];
    for (let count = 0; count < 7; count++) answers.push(await create(api));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(answers.map((answer) => rateHeaders(answer).remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    for (const answer of answers) {
      expect(rateHeaders(answer)).toMatchObject({ limit: 5, policy: '5;w=60' });
      expect(rateHeaders(answer).reset).toBeLessThanOrEqual(61);
    }
    const refused = answers.at(-1);
    expect(refused?.body.error).toEqual({
      code: 'resource_exhausted',
      message: 'Rate limit exceeded. Please retry after a short backoff.',
    });
    const retryAfter = Number(refused?.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(61);
    // Other classes and other accounts have their own.
    const taskId = String(answers[0]?.body.task_id);
    const read = await api.call('task.detail', { task_id: taskId });
    expect([read.status, rateHeaders(read).limit]).toEqual([200, 6000]);
    const stopped = await api.call('task.stop', { task_id: taskId });
    expect([stopped.status, rateHeaders(stopped).limit]).toEqual([200, 1200]);
    expect((await create(api, { key: stranger.key })).status).toBe(200);
    await limiter?.close();
  });

  it('may reuse an Idempotency-Key that was rejected by the rate limit', async () => {
    const [limiter] = limitersOf(store, { create: 1 });
    await using limited = await ApiUnderTest.start(store.database, { limiter });
    await using free = await ApiUnderTest.start(store.database, { owner: limited.owner });
    const headers = { 'idempotency-key': 'once' };
    expect((await create(limited)).status).toBe(200);
    expect((await create(limited, { headers })).status).toBe(429);
    const later = await create(free, { headers });
    expect([later.status, later.headers.get('idempotent-replayed'), later.headers.get('ratelimit-limit')]).toEqual([
      200,
      null,
      null,
    ]);
    await limiter?.close();
  });

  it('receives the limit headers with a stream and with a failed request', async () => {
    const [limiter] = limitersOf(store, {});
    await using api = await ApiUnderTest.start(store.database, { limiter });
    const taskId = await api.createTask();
    const stream = await api.fetch(`/v2/task.stream?task_id=${taskId}`);
    expect([stream.status, stream.headers.get('ratelimit-limit')]).toEqual([200, '6000']);
    await stream.body?.cancel();
    const missing = await api.call('task.detail', { task_id: 'Z'.repeat(22) });
    expect([missing.status, missing.headers.get('ratelimit-limit')]).toEqual([404, '6000']);
    await limiter?.close();
  });

  it('is admitted no more often by several processes than by one', async () => {
    const limiters = limitersOf(store, { read: 60 });
    const [first, ...others] = await Promise.all(
      limiters.map((limiter, index) =>
        ApiUnderTest.start((index === 0 ? store.database : store.others[index - 1]) ?? store.database, { limiter }),
      ),
    );
    if (!first) throw new Error('no process');
    const statuses = await Promise.all(
      [first, ...others].flatMap((api) =>
        Array.from({ length: 50 }, async () => (await api.call('task.list', {}, { key: first.owner.key })).status),
      ),
    );
    const admitted = statuses.filter((status) => status === 200).length;
    const expected = Math.min(60, statuses.length);
    expect(admitted).toBeLessThanOrEqual(60);
    expect(admitted).toBeGreaterThanOrEqual(expected - 3 * limiters.length);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    for (const api of [first, ...others]) await api.stop();
    for (const limiter of limiters) await limiter.close();
  });
});
