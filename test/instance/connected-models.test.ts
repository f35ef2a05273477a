import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { type ModelServer, useModelServer } from '../support/models/model-server.ts';
import { LocalService } from '../support/service/local-service.ts';
import { ServiceClient, statusIn } from '../support/service/service-client.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';

let server: ModelServer;
useModelServer((started) => {
  server = started;
});

const key = 'key-canary-0123456789';

describe.each(['embedded', 'PostgreSQL'])('a model that is set while the service runs, with the %s database', (kind) => {
  let databaseUrl: string | null = null;
  let env: Record<string, string>;
  let here: LocalService;
  /** Another process on the same database, or the same one. */
  let there: LocalService;
  let operator: ServiceClient;

  beforeAll(async () => {
    databaseUrl = kind === 'PostgreSQL' ? await createDatabase() : null;
    env = {
      ERRAND_MODEL: '',
      ERRAND_SECRET: 'thirty-two-random-characters-or-so',
      ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }),
    };
    here = await LocalService.start({ env });
    there = databaseUrl === null ? here : await LocalService.start({ env });
    const cli = new CliUnderTest({ ...env, ERRAND_DATA_DIR: here.dataDir });
    const { api_key: apiKey } = await cli.runJson(['key', 'create', '--instance']);
    operator = new ServiceClient({ url: here.url, apiKey: String(apiKey) });
  });
  afterAll(async () => {
    await here.end();
    if (there !== here) await there.end();
    if (databaseUrl !== null) await dropDatabase(databaseUrl);
  });

  const set = (models: string | null, more = {}) =>
    operator.ask('instance.setModel', { profile: 'service-1.6', models, ...more });
  const activeModel = async ({ url }: LocalService) => {
    const { models } = (await (await fetch(`${url}/healthz`)).json()) as { models: Record<string, string> };
    return models['service-1.6'];
  };
  const work = async (service: LocalService) => {
    const client = new ServiceClient(service);
    const events = await client.follow(await client.createTask('Tell me something'), (event) => statusIn(event) === 'stopped');
    return JSON.stringify(events);
  };

  it('does the next work of every process, with its key, until it is replaced or removed', async () => {
    expect(await work(here)).toContain('No language model is connected');
    await server.script([{ steps: [{ text: 'from the first model' }], repeatsLast: true }]);
    await set('compatible/first', { base_url: server.openaiUrl, api_key: key });
    await expect.poll(() => activeModel(there), { timeout: 20_000 }).toBe('compatible/first');
    for (const service of [here, there]) expect(await work(service)).toContain('from the first model');
    await set('compatible/second');
    await expect.poll(() => activeModel(there), { timeout: 20_000 }).toBe('compatible/second');
    await work(there);
    const calls = await server.calls();
    expect(calls.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    expect(calls.map(({ body }) => (body as { model: string }).model)).toEqual(['first', 'first', 'second']);
    await set(null);
    await expect.poll(() => activeModel(there), { timeout: 20_000 }).toBe('offline/offline-1');
    expect(await work(here)).toContain('No language model is connected');
  });

  it('is there after a restart, without its key in the log', async () => {
    await server.script([{ steps: [{ text: 'from the first model' }], repeatsLast: true }]);
    await set('compatible/first', { base_url: server.openaiUrl, api_key: key });
    await here.restart();
    expect(await activeModel(here)).toBe('compatible/first');
    expect(await work(here)).toContain('from the first model');
    expect(JSON.stringify([here.lines, there.lines])).not.toContain('canary');
  });

  it('is tested without being set, and the answer or the error comes back in plain words', async () => {
    const draft = { profile: 'service-1.6', models: 'compatible/draft', base_url: server.openaiUrl, api_key: key };
    const { data } = await operator.ask('instance.testModel', draft);
    expect(data).toEqual([{ model: 'compatible/draft', ok: true, latency_ms: expect.any(Number) as number, error: null }]);
    await server.script([{ steps: [{ status: 401, body: `{"error":{"message":"wrong key ${key}"}}` }], repeatsLast: true }]);
    const failed = await operator.ask('instance.testModel', { ...draft, models: 'compatible/draft, ollama/none' });
    expect(failed.data).toMatchObject([
      { ok: false, error: 'the request was refused (401): wrong key [hidden]' },
      { model: 'ollama/none', ok: false },
    ]);
    expect(
      (await operator.call('instance.testModel', { ...draft, base_url: 'http://127.0.0.1:9/v1', api_key: null })).body.data,
    ).toMatchObject([{ ok: false, error: expect.stringContaining('the connection failed') as string }]);
  });
});
