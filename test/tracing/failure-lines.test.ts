import { expect, it } from 'vitest';
import { startModelServer } from '../support/models/model-server.ts';
import { LocalService } from '../support/service/local-service.ts';
import { isEnd, ServiceClient } from '../support/service/service-client.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

it('a failed turn, its model calls, and a failed delivery are lines in the log, without what was written', async () => {
  const model = await startModelServer();
  await model.script([{ repeatsLast: true, steps: [{ status: 401 }] }]);
  const hooks = await Receiver.start();
  hooks.answer('/hook', 500);
  const service = await LocalService.start({
    env: {
      ERRAND_MODEL: 'compatible/mock',
      ERRAND_MODEL_BASE_URL: model.openaiUrl,
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_WEBHOOK_ALLOW_HTTP: 'true',
    },
  });
  const client = new ServiceClient(service);
  await client.ask('webhook.create', { url: hooks.url('/hook') });
  const taskId = await client.createTask('a canary of a message');
  await client.follow(taskId, isEnd);
  const find = (text: string) => service.waitForLog(({ msg, task_id }) => msg === text && task_id === taskId);
  const account_id = expect.stringMatching(/^\w{22}$/) as string;
  const lines = [await find('a turn failed'), await find('a model call failed'), await find('a delivery failed')];
  expect(lines).toMatchObject([
    { level: 'warn', account_id, error_type: 'model_refused' },
    { level: 'warn', account_id, model: 'compatible/mock', kind: 'refused' },
    { level: 'warn', account_id, attempt: 1, status: 500, retry_in_ms: expect.any(Number) as number },
  ]);
  expect(JSON.stringify(lines)).not.toContain('canary');
  await service.stop();
  await Promise.all([hooks.stop(), model.stop()]);
});
