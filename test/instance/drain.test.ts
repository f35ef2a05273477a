import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { LocalService } from '../support/service/local-service.ts';

it('a service with ERRAND_DRAIN_SECONDS=0 waits for no step, and the next start resumes the task', async () => {
  // The model never answers: with a longer time the stop would wait for it.
  const model = createServer();
  const isCalled = once(model, 'request');
  await once(model.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
  const settings = { ERRAND_MODEL: 'compatible/quiet', ERRAND_MODEL_BASE_URL: baseUrl, ERRAND_MODEL_API_KEY: 'k' };
  await using service = await LocalService.start({ env: { ...settings, ERRAND_DRAIN_SECONDS: '0' } });
  const headers = { 'x-service-api-key': service.apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ message: { content: 'wait' } });
  const created = (await (await fetch(`${service.url}/v2/task.create`, { method: 'POST', headers, body })).json()) as {
    task_id: string;
  };
  await isCalled;
  await service.stop();
  const isCalledAgain = once(model, 'request');
  await service.restart();
  await isCalledAgain;
  const response = await fetch(`${service.url}/v2/task.detail?task_id=${created.task_id}`, { headers });
  expect(await response.json()).toMatchObject({ task: { status: 'running' } });
  await service.stop();
  model.closeAllConnections();
  model.close();
});
