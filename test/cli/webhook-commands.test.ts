import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { runErrand } from '../../src/cli/index.ts';
import { TestHost } from '../support/cli/test-shell.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { someText } from '../support/http/matchers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

/** A clock with short pauses and unchanged timeouts. */
const clock: typeof systemClock = {
  ...systemClock,
  setTimer: (run, delayMs) => systemClock.setTimer(run, delayMs < 10_000 ? delayMs / 20 : delayMs),
};

const allowed = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true' };

describe('the commands for receivers', () => {
  let service: LocalService;
  let receiver: Receiver;
  let env: Record<string, string>;

  beforeEach(async () => {
    [service, receiver] = await Promise.all([LocalService.start({ env: allowed }), Receiver.start()]);
    env = { HOME: service.dataDir, ERRAND_URL: service.url, ERRAND_API_KEY: service.apiKey };
  });
  afterEach(async () => {
    await Promise.all([service.end(), receiver.stop()]);
  });

  function start(argv: readonly string[]) {
    const host = new TestHost(env, { clock });
    return { host, ended: runErrand(argv, host) };
  }

  async function run(argv: readonly string[]) {
    const { host, ended } = start(argv);
    return { code: await ended, stdout: host.stdout.text, stderr: host.stderr.text };
  }

  /** Starts listening and returns when the secret is shown. */
  async function listen(options: readonly string[] = []) {
    const { host, ended } = start(['listen', '--forward', receiver.url('/hook'), ...options]);
    const shown = () => /the secret (whsec_\S+)/.exec(host.stdout.text + host.stderr.text)?.[1];
    await expect.poll(shown, { timeout: 60_000 }).toBeDefined();
    return { host, ended, secret: shown() ?? '' };
  }

  const create = async () => (await run(['task', 'create', 'say hello'])).stdout.trim();
  const eventsOf = () => receiver.eventsAt('/hook').map(({ event }) => event.event_id);

  it('trigger sends a sample event and prints the status of each response', async () => {
    receiver.answer('/bad', 503);
    expect(await run(['webhook', 'trigger', 'task_stopped', '--url', receiver.url('/hook')])).toMatchObject({
      code: 0,
      stdout: someText(/HTTP 204\n$/),
    });
    expect(await run(['webhook', 'trigger', 'ping', '--url', receiver.url('/bad')])).toMatchObject({ code: 0 });
    const refused = await run(['webhook', 'trigger', 'task_created', '--url', receiver.url('/bad')]);
    expect(refused).toMatchObject({ code: 1, stdout: someText(/HTTP 503\n$/) });
    expect(receiver.eventsAt('/hook')).toMatchObject([{ event: { event_type: 'task_stopped' } }]);
    expect(await run(['webhook', 'trigger', 'task_created'])).toMatchObject({ code: 1, stderr: someText(/no webhook/) });
    expect(await run(['webhook', 'trigger', 'task_done'])).toMatchObject({
      code: 64,
      stderr: someText(/^errand: EVENT must be one of/),
    });
  });

  it('listen forwards each event once, signed with the secret it shows, and ends cleanly', async () => {
    const { host, ended, secret } = await listen();
    const id = await create();
    await receiver.until(() => eventsOf().length === 2);
    const ids = [`task_created_${id}`, someText(new RegExp(`^task_stopped_${id}_\\d+$`))];
    expect(eventsOf()).toEqual(ids);
    for (const { headers, body, event } of receiver.eventsAt('/hook')) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
    }
    await expect.poll(() => host.stdout.text.trim().split('\n').length, { timeout: 60_000 }).toBe(3);
    expect(host.stdout.text).toMatch(new RegExp(`\\d\\d:\\d\\d:\\d\\d  204  \\d+ ms  task_created_${id}\n`));
    host.interrupt.abort();
    expect(await ended).toBe(0);
    expect(host.stderr.text).toBe('');
    await create();
    expect(eventsOf()).toHaveLength(2);
  });

  it('listen forwards only the named events, and says how it went', async () => {
    receiver.answer('/hook', 500);
    const { host, ended } = await listen(['--events', 'task_stopped', '--json']);
    const id = await create();
    await receiver.until(() => eventsOf().length === 1);
    await expect.poll(() => host.stderr.text, { timeout: 60_000 }).toContain(`  500  `);
    host.interrupt.abort();
    expect(await ended).toBe(0);
    expect(eventsOf()).toEqual([someText(new RegExp(`^task_stopped_${id}`))]);
    expect(JSON.parse(host.stdout.text)).toEqual({ forwarded: 0, failed: 1, lost: 0 });
  });

  it('listen resumes after the service was away, without losing or repeating an event', async () => {
    const { host, ended } = await listen();
    const before = await create();
    await receiver.until(() => eventsOf().length === 2);
    await service.restart();
    const after = await create();
    await receiver.until(() => eventsOf().length === 4);
    host.interrupt.abort();
    expect(await ended).toBe(0);
    const created = eventsOf().filter((event) => event.startsWith('task_created'));
    expect(created).toEqual([`task_created_${before}`, `task_created_${after}`]);
  });

  it('listen refuses what it cannot do before it asks the service', async () => {
    expect(await run(['listen'])).toMatchObject({ code: 64, stderr: someText(/--forward is missing/) });
    const incomplete = await run(['listen', '--forward', 'localhost:3000']);
    expect(incomplete).toMatchObject({ code: 64, stderr: someText(/begins with http/) });
    const unknown = ['listen', '--forward', 'http://localhost:3000', '--events', 'task_deleted'];
    expect(await run(unknown)).toMatchObject({ code: 64, stderr: someText(/--events takes/) });
    const idle = await new CliUnderTest().run(['listen', '--forward', 'http://localhost:3000']);
    expect(idle).toMatchObject({ code: 1, stderr: someText(/no service runs/) });
  });
});
