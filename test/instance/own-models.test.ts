import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { type ModelServer, useModelServer } from '../support/models/model-server.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { ServiceClient, statusIn } from '../support/service/service-client.ts';

let server: ModelServer;
useModelServer((started) => {
  server = started;
});

const keys = { operator: 'key-canary-of-the-operator', ann: 'key-canary-of-ann-0001', ben: 'key-canary-of-ben-0002' };
const profile = 'service-1.6';

describe.each(['embedded', 'PostgreSQL'])('tasks of accounts with keys of their own, with the %s database', (kind) => {
  let databaseUrl: string | null = null;
  let env: Record<string, string>;
  let here: LocalService;
  /** Another process on the same database, or the same one. */
  let there: LocalService;
  let cli: CliUnderTest;
  let ann: ServiceClient;
  let ben: ServiceClient;

  beforeAll(async () => {
    databaseUrl = kind === 'PostgreSQL' ? await createDatabase() : null;
    env = {
      ERRAND_MODEL: 'compatible/of-the-service',
      ERRAND_MODEL_BASE_URL: server.openaiUrl,
      ERRAND_MODEL_API_KEY: keys.operator,
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_SECRET: 'thirty-two-random-characters-or-so',
      ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }),
    };
    here = await LocalService.start({ env });
    there = databaseUrl === null ? here : await LocalService.start({ env });
    cli = new CliUnderTest({ ...env, ERRAND_DATA_DIR: here.dataDir });
    ann = new ServiceClient(here);
    const { api_key: apiKey } = await cli.runJson(['account', 'create', '--email', 'ben@example.com']);
    ben = new ServiceClient({ url: here.url, apiKey: String(apiKey) });
  });
  afterAll(async () => {
    await here.end();
    if (there !== here) await there.end();
    if (databaseUrl !== null) await dropDatabase(databaseUrl);
  });

  const setKey = (client: ServiceClient, name: string, apiKey: string) =>
    client.ask('model.setKey', { profile, models: `compatible/${name}`, base_url: server.openaiUrl, api_key: apiKey });
  const work = async (client: ServiceClient, content = 'Tell me something', end = 'stopped') => {
    const taskId = await client.createTask(content);
    return { taskId, events: await client.follow(taskId, (event) => statusIn(event) === end) };
  };
  /** The keys and models of the calls about a message. */
  const callsAbout = async (text: string) =>
    (await server.calls())
      .filter(({ body }) => JSON.stringify(body).includes(text))
      .map(({ headers, body }) => [headers.authorization, (body as { model: string }).model]);
  const answerAll = () => server.script([{ steps: [{ text: 'Done.', usage: { input: 900, output: 90 } }], repeatsLast: true }]);

  const ofService = [`Bearer ${keys.operator}`, 'of-the-service'] as const;
  const ofAnn = [`Bearer ${keys.ann}`, 'of-ann'] as const;
  const ofBen = [`Bearer ${keys.ben}`, 'of-ben'] as const;
  /** Works until a change has reached the process that does it. */
  const reach = (client: ServiceClient, expected: readonly [string, string]) => {
    let round = 0;
    const ask = async () => {
      const text = `${expected[1]} in round ${++round}`;
      await work(client, text);
      return callsAbout(text);
    };
    return expect.poll(ask, { timeout: 20_000 }).toEqual([expected]);
  };

  it('call their own provider with their own key, each account its own, and others the one of the service', async () => {
    await answerAll();
    await work(ben, 'before any key');
    expect(await callsAbout('before any key')).toEqual([ofService]);
    await setKey(ann, 'of-ann', keys.ann);
    await reach(ann, ofAnn);
    for (let at = 0; at < 3; at++) await work(ann, 'asked by ann');
    await work(ben, 'asked by ben');
    await setKey(ben, 'of-ben', keys.ben);
    await reach(ben, ofBen);
    await work(ben, 'later by ben');
    await work(ann, 'later by ann');
    expect(await callsAbout('asked by ann')).toEqual([ofAnn, ofAnn, ofAnn]);
    expect(await callsAbout('asked by ben')).toEqual([ofService]);
    expect(await callsAbout('later by ben')).toEqual([ofBen]);
    expect(await callsAbout('later by ann')).toEqual([ofAnn]);
  });

  it('cost no credits and count as own in usage, while calls of the service cost what they did', async () => {
    await answerAll();
    await setKey(ann, 'of-ann', keys.ann);
    const { taskId } = await work(ann);
    const { task } = (await ann.ask('task.detail', { task_id: taskId })) as { task: { credit_usage?: number } };
    expect(task.credit_usage).toBeUndefined();
    const { data: records } = (await ann.ask('usage.list')) as { data: { task_id?: string }[] };
    expect(records.filter((record) => record.task_id === taskId)).toEqual([]);
    const url = `${here.url}/v2/usage.breakdown?by=model`;
    const answer = await fetch(url, { headers: { 'x-service-api-key': here.apiKey } });
    const { data: sums } = (await answer.json()) as { data: { model: string; input_tokens: number; credits: number }[] };
    const own = sums.find(({ model }) => model === 'own:compatible/of-ann');
    expect(own?.input_tokens).toBeGreaterThan(0);
    expect(own?.credits).toBe(0);
  });

  it('end with an error that names the key once the provider refuses it, also while they work, and use no other model', async () => {
    await setKey(ann, 'of-ann', keys.ann);
    const refusal = { status: 401, body: `{"error":{"message":"wrong key ${keys.ann}"}}` };
    const plan = { tool: 'list_files', input: {} };
    await server.script([{ match: 'revoked meanwhile', order: 'call', steps: [{ calls: [plan] }, refusal], repeatsLast: true }]);
    const { events } = await work(ann, 'revoked meanwhile', 'error');
    const shown = JSON.stringify(events);
    expect(shown).toContain('own:compatible/of-ann: the request was refused (401): wrong key [hidden]');
    expect(shown).toContain('This task uses a model key of your account');
    expect(await callsAbout('revoked meanwhile')).toEqual([ofAnn, ofAnn]);
  });

  it('use the model of the service from the next call on when the key is deleted', async () => {
    await answerAll();
    await setKey(ann, 'of-ann', keys.ann);
    await reach(ann, ofAnn);
    const { taskId } = await work(ann, 'begun with a key');
    await ann.ask('model.deleteKey', { profile });
    await reach(ann, ofService);
    await ann.ask('task.sendMessage', { task_id: taskId, message: { content: 'continued without' } });
    await expect.poll(() => callsAbout('continued without'), { timeout: 20_000 }).toEqual([ofService]);
  });

  it('are tested with the stored key or another one, through the CLI, too', async () => {
    await answerAll();
    const operator = { ...env, ERRAND_DATA_DIR: here.dataDir, ERRAND_URL: here.url, ERRAND_API_KEY: here.apiKey };
    await setKey(ann, 'of-ann', keys.ann);
    expect((await cli.run(['model-key', 'list'], operator)).stdout).toContain('…0001');
    expect((await cli.run(['model-key', 'test', profile], operator)).stdout).toMatch(/compatible\/of-ann +answered in \d+ ms/);
    const moved = ['model-key', 'test', profile, '--models', 'compatible/x', '--base-url', 'http://127.0.0.1:4/v1'];
    expect((await cli.run(moved, operator)).stdout).toContain('refuses connections on port 4');
    expect((await cli.run(['model-key', 'delete', profile], operator)).code).toBe(0);
    expect((await cli.run(['model-key', 'list'], operator)).stderr).toContain('no model keys');
  });

  it('hear what is spoken to them with their own key where its provider has a model for speech, and nobody else does', async () => {
    await server.script([
      { match: 'speech:audio/ogg', steps: [{ text: 'spoken words' }], repeatsLast: true },
      { steps: [{ text: 'Done.' }], repeatsLast: true },
    ]);
    await ann.ask('model.setKey', { profile, models: 'openai/of-ann', base_url: server.openaiUrl, api_key: keys.ann });
    await reach(ann, ofAnn);
    const speak = async (client: ServiceClient) => {
      const bytes = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(2000)]);
      const voice = { type: 'voice', filename: 'memo.ogg', file_data: `data:audio/ogg;base64,${bytes.toString('base64')}` };
      const { task_id: taskId } = await client.ask('task.create', { message: { content: [voice] } });
      await client.follow(String(taskId), (event) => statusIn(event) === 'stopped');
    };
    const callsWithSpeech = async () =>
      (await server.calls()).flatMap(({ headers, body }) =>
        (body as { mediaType?: string }).mediaType === 'audio/ogg' ? [headers.authorization] : [],
      );
    await speak(ann);
    expect(await callsWithSpeech()).toEqual([`Bearer ${keys.ann}`]);
    // The provider of the service has no model for speech.
    await speak(ben);
    expect(await callsWithSpeech()).toHaveLength(1);
  });

  it('leave no key in logs, events, answers, or as plain text in the database', async () => {
    await answerAll();
    await setKey(ann, 'of-ann', keys.ann);
    const { events } = await work(ann, 'look for the canary');
    const answers = [events, await ann.ask('usage.list'), await ann.ask('task.list')];
    expect(JSON.stringify([answers, here.lines, there.lines]).includes('canary-of')).toBe(false);
    expect((await cli.run(['audit', 'list'])).stdout).toContain('model_key_set');
    expect((await cli.run(['audit', 'list'])).stdout).not.toContain('canary-of');
  });
});
