import { expect, it } from 'vitest';
import { silentLog } from '@errand/base/log.ts';
import { buildApp, type Role } from '../../src/app/build-app.ts';
import { readConfig } from '../../src/config/config.ts';
import { instance } from '../../web/src/text/en/instance.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { createMigratedDatabase, dropDatabase } from '../support/db/postgres.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { testSettings } from '../support/service/service-settings.ts';
import { eventually } from '../support/service/service-client.ts';

/** Where nobody listens. */
const nowhere = 'http://127.0.0.1:9';
/** Everything that has a background job of its own. */
const everything = {
  ERRAND_SECRET: 'a-secret-of-the-whole-test',
  ERRAND_TELEGRAM_BOT_TOKEN: '123456789:AAExampleExampleExampleExample',
  ERRAND_TELEGRAM_API_URL: nowhere,
  ERRAND_SLACK_BOT_TOKEN: 'xoxb-the-token-of-the-bot',
  ERRAND_SLACK_APP_TOKEN: 'xapp-the-token-of-the-app',
  ERRAND_SLACK_API_URL: nowhere,
  OTEL_EXPORTER_OTLP_ENDPOINT: nowhere,
};

interface ListedJob {
  name: string;
  status: string;
  error: string | null;
}

async function start(role: Role, env: Record<string, string>) {
  const app = await buildApp(readConfig({ ...testSettings(createFolder('data')), ...env }), role, { log: silentLog });
  await app.start();
  return app;
}

it('every background job of a worker is listed under a name for people, and one that fails shows in the list and in the metric', async () => {
  const databaseUrl = await createMigratedDatabase();
  const env = { ...everything, ERRAND_DATABASE_URL: databaseUrl, ERRAND_WATCH_ROOTS: `drop=${createFolder('drop')}/{account}` };
  const app = await start('all', { ...env });
  const cli = new CliUnderTest(env);
  let change = 'drain';
  const jobs = await eventually('both bridges fail in the list', async () => {
    const { data } = (await cli.runJson(['worker', 'list'])) as unknown as { data: { id: string; jobs: ListedJob[] }[] };
    const [worker] = data;
    if (worker?.jobs.filter(({ status }) => status === 'failed').length === 2) return worker.jobs;
    // It reports anew when it is drained, and when it no longer is.
    if (worker) await cli.run(['worker', change, worker.id]);
    change = change === 'drain' ? 'undrain' : 'drain';
    return null;
  });
  expect(jobs.map(({ name }) => name).toSorted()).toEqual(Object.keys(instance.jobNames).toSorted());
  expect(jobs.filter(({ status }) => status === 'failed').map(({ name, error }) => [name, error])).toEqual([
    ['bridge-telegram', 'the bridge to telegram does not work'],
    ['bridge-slack', 'the bridge to slack does not work'],
  ]);
  expect((await cli.run(['worker', 'list'])).stdout).toMatch(/FAILING JOBS[^]*bridge-telegram, bridge-slack/);
  const metrics = await (await fetch(`${app.http.url()}/metrics`)).text();
  const [, seconds] = /^errand_job_failing_seconds ([\d.]+)$/m.exec(metrics) ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(seconds)).toBeLessThan(3600);
  await app.stop();
  await dropDatabase(databaseUrl);
});

it('a process that only answers requests tells how long its own jobs have been failing', async () => {
  const app = await start('api', {});
  expect(await (await fetch(`${app.http.url()}/metrics`)).text()).toMatch(/^errand_job_failing_seconds 0$/m);
  await app.stop();
});
