import { expect, it } from 'vitest';
import type { Json } from '../support/service/service-client.ts';
import type { ServiceProcess } from '../support/service/supervisor.ts';
import { ada, BridgeUnderTest, main } from '../support/bridges/bridge-under-test.ts';

const count = 12;

it.each(['sqlite', 'postgres'] as const)(
  'a bridge that is killed loses nothing, and repeats at most one message per kill, on %s',
  async (shape) => {
    await using bridge = await BridgeUnderTest.start(shape, { ERRAND_LEASE_TTL_MS: '3000' });
    const { telegram, deployment } = bridge;
    await bridge.link();
    const busy = { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } };
    const broken = { ok: false, error_code: 502, description: 'Bad Gateway' };
    await telegram.fail(
      { method: 'sendMessage', status: 429, body: busy, times: 2 },
      // Sent, and the answer is lost: nobody can know.
      { method: 'sendMessage', status: 502, body: broken, isDone: true, times: 1 },
      { method: 'getUpdates', status: 502, body: broken, times: 1 },
    );
    for (let number = 0; number < count; number += 1) {
      await telegram.say(ada, `say number ${number};`);
      if (number % 4 !== 3) continue;
      // In the middle of hearing and answering.
      const sent = (await bridge.chatOf(ada)).length;
      await bridge.until('an answer', ({ messages }) => messages.length > sent);
      await deployment.api.kill();
      await deployment.api.restart();
    }
    const lastWords = `number ${count - 1};`;
    await bridge.until('the last answer', ({ messages }) => messages.some(({ text }) => text.includes(lastWords)));
    const events = await deployment.client.listEvents(main);
    const received = events.flatMap(({ user_message: said }) => (said as Json | undefined)?.content ?? []);
    expect(received).toEqual(Array.from({ length: count }, (_, number) => `say number ${number};`));
    const answers = events.flatMap(({ assistant_message: said }) => (said as Json | undefined)?.content ?? []);
    await bridge.until('every answer', ({ messages }) => answers.every((answer) => messages.some(({ text }) => text === answer)));
    const shown = (await bridge.chatOf(ada)).map(({ text }) => text).filter((text) => text.startsWith('number'));
    const doubled = shown.length - answers.length;
    // Three kills and one lost answer.
    expect(doubled).toBeGreaterThanOrEqual(1);
    expect(doubled).toBeLessThanOrEqual(4);
    const firsts = shown.filter((text, at) => shown.indexOf(text) === at);
    expect(firsts).toEqual(answers);
  },
);

it('one of two workers serves the bot, and the other takes over when it dies', async () => {
  await using bridge = await BridgeUnderTest.start('api and two workers', { ERRAND_LOG: 'info', ERRAND_LEASE_TTL_MS: '3000' });
  const { telegram, deployment } = bridge;
  await bridge.link();
  const [left, right] = deployment.twoWorkers;
  const begin = (worker: ServiceProcess) => worker.waitForLog(({ msg }) => String(msg).includes('a bridge is open'));
  const [dying, next] = await Promise.race([begin(left).then(() => [left, right]), begin(right).then(() => [right, left])]);
  expect(next?.lines.filter(({ text }) => text.includes('a bridge is open'))).toEqual([]);
  await dying?.kill();
  await telegram.say(ada, 'say still here');
  await bridge.untilSaid(ada, 'still here');
  if (next) await begin(next);
});
