import { expect, it } from 'vitest';
import { silentLog } from '@errand/base/log.ts';
import { buildApp, type Role } from '../../src/app/build-app.ts';
import { readConfig } from '../../src/config/config.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { createMigratedDatabase, dropDatabase } from '../support/db/postgres.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { testSettings } from '../support/service/service-settings.ts';
import { eventually } from '../support/service/service-client.ts';

async function start(role: Role, env: Record<string, string>) {
  const app = await buildApp(readConfig({ ...testSettings(createFolder('data')), ...env }), role, { log: silentLog });
  await app.start();
  return app;
}

it('a worker answers /readyz, /healthz and /metrics at its own port, nothing else, and nothing once it has stopped', async () => {
  const databaseUrl = await createMigratedDatabase();
  const env = { ERRAND_DATABASE_URL: databaseUrl, ERRAND_SECRET: 'a-secret-of-the-whole-test' };
  const api = await start('api', env);
  const worker = await start('worker', { ...env, ERRAND_MONITORING_PORT: '0' });
  expect(api.monitoring).toBeNull();
  const url = String(worker.monitoring?.url());
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ok: true });
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ models: { 'service-1.6': 'offline/offline-1' } });
  const headers = { 'x-service-api-key': api.firstApiKey ?? '', 'content-type': 'application/json' };
  for (const path of ['/', '/v2/task.list', '/openapi.json', '/reference']) {
    expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 404]);
  }
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  expect(await metrics()).toMatch(/^errand_worker_concurrency 5000$/m);
  expect(await metrics()).toMatch(/^errand_worker_draining 0$/m);
  const cli = new CliUnderTest(env);
  const [listed] = (await eventually('the worker is listed', async () => {
    const { data } = (await cli.runJson(['worker', 'list'])) as unknown as { data: { id: string }[] };
    return data.length > 0 ? data : null;
  })) as { id: string }[];
  await cli.run(['worker', 'drain', String(listed?.id)]);
  await eventually('it knows', async () => (/^errand_worker_draining 1$/m.test(await metrics()) ? true : null));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await worker.stop();
  await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  await api.stop();
  await dropDatabase(databaseUrl);
});

it('a worker without ERRAND_MONITORING_PORT listens nowhere', async () => {
  const worker = await start('worker', {});
  expect(worker.monitoring).toBeNull();
  await worker.stop();
});
