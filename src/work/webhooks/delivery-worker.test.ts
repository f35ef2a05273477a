import { describe, expect, it } from 'vitest';
import { createDeliveryWorker, hang, ScriptedSender } from '../../../test/support/webhooks/delivery-samples.ts';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { addWebhook, createReported, listAll } from '../../../test/support/webhooks/webhook-samples.ts';
import { Fault } from '@errand/base/fault.ts';
import { resendMissed } from '../../store/webhooks/delivery-log.ts';
import { stopTask } from '../../store/tasks/tasks.ts';
import { enableWebhook, listWebhooks } from '../../store/webhooks/webhooks.ts';
import { usualLimit } from './delivery-lanes.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const day = 24 * hour;

async function openTestBed() {
  const clock = new TestClock();
  const database = new MemoryDatabase(clock);
  const sender = new ScriptedSender(clock);
  const accountId = newAccountId();
  const webhook = await addWebhook(database, accountId);
  const worker = createDeliveryWorker(database, sender, clock);
  return { clock, database, sender, accountId, webhook, worker };
}

describe('the delivery worker', () => {
  it('sends an event as soon as it is stored, without waiting for a poll', async () => {
    const { clock, database, sender, accountId, webhook, worker } = await openTestBed();
    await worker.start();
    await clock.advance(300);
    const [taskId = ''] = await createReported(database, accountId);
    await clock.advance(0);
    await database.run(stopTask, { accountId, taskId, now: nextMs() });
    await clock.advance(0);
    expect(sender.sent.map(({ eventId }) => eventId)).toEqual([`task_created_${taskId}`, `task_stopped_${taskId}_4`]);
    expect(sender.sent[0]?.url).toBe(webhook.url);
    expect(await listAll(database, accountId)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    await worker.stop();
  });

  it('finds an event within a second if the hint is lost', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    await worker.start();
    await clock.advance(0);
    database.hints.publish = () => undefined;
    await createReported(database, accountId);
    await clock.advance(second);
    expect(sender.sent).toHaveLength(1);
    await worker.stop();
  });

  it('records an outcome again if the store was briefly unavailable, and sends nothing twice', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    let failures = 0;
    database.interference.before = ({ operation }) => {
      if (operation !== 'deliveries.record' || failures > 0) return;
      failures += 1;
      throw new Fault('unavailable', 'The storage is temporarily unavailable; try again.');
    };
    await createReported(database, accountId);
    await worker.start();
    await clock.advance(minute);
    expect(failures).toBe(1);
    expect(sender.sent).toHaveLength(1);
    expect(await listAll(database, accountId)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    await worker.stop();
  });

  it('retries failures exactly on schedule, and then gives up', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    sender.answer = () => ({ status: 503 });
    const [taskId = ''] = await createReported(database, accountId);
    await worker.start();
    const delays = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
    for (const [index, delay] of delays.entries()) {
      await worker.stop();
      clock.jump(Math.max(0, delay - 2 * minute));
      await worker.start();
      await clock.advance(Math.min(delay, 2 * minute));
      expect(sender.sent).toHaveLength(index + 1);
    }
    const times = sender.sent.map(({ atMs }) => atMs);
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual(delays.slice(1));
    expect(new Set(sender.sent.map(({ body }) => body)).size).toBe(1);
    expect(await listAll(database, accountId)).toMatchObject([
      { eventId: `task_created_${taskId}`, status: 'failed', attempts: 10, nextAttemptAtMs: null },
    ]);
    await worker.stop();
  });

  it('records the time and response of each attempt', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    const answers = [
      { status: 500, excerpt: 'Oops' },
      { status: null, error: 'no complete answer in time', durationMs: 15_000 },
    ];
    sender.answer = () => answers.shift() ?? { status: 200, excerpt: 'OK' };
    await createReported(database, accountId);
    await worker.start();
    await clock.advance(6 * minute);
    const [delivery] = await listAll(database, accountId);
    expect(delivery?.log).toMatchObject([
      { status: 500, error: null, excerpt: 'Oops' },
      { status: null, error: 'no complete answer in time', durationMs: 15_000 },
      { status: 200, excerpt: 'OK' },
    ]);
    expect(delivery?.attempts).toBe(3);
    await worker.stop();
  });

  it('does not let a silent receiver delay others', async () => {
    const { clock, database, sender, accountId, webhook: hostile, worker } = await openTestBed();
    const others = newAccountId();
    const good = await addWebhook(database, others);
    sender.answer = ({ url }) => (url === hostile.url ? hang() : { status: 200 });
    await createReported(database, accountId, 300);
    await worker.start();
    await clock.advance(0);
    await createReported(database, others, 300);
    await clock.advance(0);
    await clock.advance(0);
    const count = (url: string) => sender.sent.filter((message) => message.url === url).length;
    expect(count(hostile.url)).toBe(usualLimit);
    expect(count(good.url)).toBe(300);
    const stopped = worker.stop();
    await clock.advance(8 * second);
    await stopped;
  });

  it('aborts attempts that outlast a shutdown and returns them uncounted', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    sender.answer = hang;
    await createReported(database, accountId, 2);
    await worker.start();
    await clock.advance(0);
    const stopped = worker.stop();
    await clock.advance(8 * second);
    await stopped;
    expect(await listAll(database, accountId)).toMatchObject([
      { status: 'pending', attempts: 0, nextAttemptAtMs: clock.now() },
      { status: 'pending', attempts: 0 },
    ]);
    expect(clock.timerCount).toBe(0);
  });

  it('retries after the lease if the service itself fails', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    const answers = [Promise.reject(new TypeError('a defect'))];
    sender.answer = () => answers.shift() ?? { status: 200 };
    await createReported(database, accountId);
    await worker.start();
    await clock.advance(29 * second);
    expect(sender.sent).toHaveLength(1);
    await clock.advance(second);
    expect(await listAll(database, accountId)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    await worker.stop();
  });

  it('disables a webhook after five days of continuous failure, and delivers missed events once it is enabled', async () => {
    const { clock, database, sender, accountId, webhook, worker } = await openTestBed();
    const statusNow = async () => (await database.run(listWebhooks, accountId))[0]?.status;
    sender.answer = () => ({ status: 500 });
    for (let passed = 0; passed < 5 * day; passed += 12 * hour) {
      expect(await statusNow()).toBe('active');
      await createReported(database, accountId);
      await worker.start();
      await clock.advance(0);
      await worker.stop();
      clock.jump(12 * hour);
    }
    await worker.start();
    await clock.advance(2 * second);
    expect(await statusNow()).toBe('inactive');
    await createReported(database, accountId);
    await clock.advance(minute);
    const before = sender.sent.length;
    clock.jump(day);
    await clock.advance(minute);
    expect(sender.sent).toHaveLength(before);
    sender.answer = () => ({ status: 200 });
    await database.run(enableWebhook, { accountId, webhookId: webhook.id });
    expect(await database.run(resendMissed, { accountId, webhookId: webhook.id, limit: 256 })).toBe(11);
    await clock.advance(0);
    expect((await listAll(database, accountId)).map(({ status }) => status)).toEqual(
      Array.from({ length: 11 }, () => 'delivered'),
    );
    await worker.stop();
  });

  it('never disables a webhook that fails repeatedly, but not always', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    let count = 0;
    sender.answer = () => ({ status: ++count % 10 === 0 ? 200 : 500 });
    for (let passed = 0; passed < 30 * day; passed += 12 * hour) {
      await createReported(database, accountId);
      await worker.start();
      await clock.advance(0);
      await worker.stop();
      clock.jump(12 * hour);
    }
    expect(await database.run(listWebhooks, accountId)).toMatchObject([{ status: 'active' }]);
  });

  it('disables a webhook at its first 410', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    sender.answer = () => ({ status: 410 });
    await createReported(database, accountId);
    await worker.start();
    await clock.advance(0);
    expect(await database.run(listWebhooks, accountId)).toMatchObject([{ status: 'inactive' }]);
    expect(await listAll(database, accountId)).toMatchObject([{ status: 'failed', attempts: 1 }]);
    await worker.stop();
  });

  it('can be started and stopped concurrently, and leaves no timer behind', async () => {
    const { clock, database, sender, accountId, worker } = await openTestBed();
    await createReported(database, accountId, 20);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? worker.start() : worker.stop())));
      await clock.advance(0);
    }
    await worker.stop();
    expect(clock.timerCount).toBe(0);
    await worker.start();
    await clock.advance(40 * second);
    await worker.stop();
    expect(new Set(sender.sent.map(({ eventId }) => eventId)).size).toBe(20);
    expect(clock.timerCount).toBe(0);
  });
});
