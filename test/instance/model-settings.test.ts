import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import type { ModelSettings } from '../../src/models/model-registry.ts';
import {
  addInstanceKey,
  addOwner,
  ApiUnderTest,
  type CallOptions,
  type Json,
  type Owner,
} from '../support/http/api-under-test.ts';
import { addSession, makeInstanceOwner } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { sampleModels } from '../support/models/sample-models.ts';

const secret = 'key-canary-0123456789-wxyz';
const anthropic = { profile: 'service-1.6', models: 'anthropic/claude-sonnet-5', api_key: secret };

describeStores('the settings of models', (store) => {
  async function start(environment: ModelSettings = {}) {
    await store.query('DELETE FROM model_settings RETURNING profile');
    const api = await ApiUnderTest.start(store.database, { models: sampleModels(store.database, systemClock, environment) });
    const key = await addInstanceKey(store.database);
    const ask = (name: string, input: Json = {}, options: CallOptions = {}) => api.call(name, input, { key, ...options });
    const list = async () => (await ask('instance.listModels')).body.data;
    return { api, ask, list, [Symbol.asyncDispose]: () => api.stop() };
  }

  it('are those of the built-in model until somebody sets others', async () => {
    await using world = await start();
    const usual = { source: 'built_in', models: ['offline/offline-1'], base_url: null, has_api_key: false, changed_at: null };
    expect(await world.list()).toEqual([
      { ...usual, profile: 'service-1.6', inherited: false, api_key_tail: null, problem: null },
      { ...usual, profile: 'service-1.6-lite', inherited: true, api_key_tail: null, problem: null },
      { ...usual, profile: 'service-1.6-max', inherited: true, api_key_tail: null, problem: null },
    ]);
  });

  it('are set with a key that is stored sealed and never shown, and used by every profile without its own', async () => {
    await using world = await start();
    const { ask, list } = world;
    const { status, body } = await ask('instance.setModel', anthropic);
    expect([status, body.model]).toMatchObject([
      200,
      { source: 'settings', models: ['anthropic/claude-sonnet-5'], inherited: false, has_api_key: true, api_key_tail: 'wxyz' },
    ]);
    const max = { profile: 'manus-1.6-max', models: 'anthropic/claude-opus-5, ollama/qwen3' };
    expect((await ask('instance.setModel', max)).body.model).toMatchObject({ has_api_key: false, problem: null });
    const models = (await list()).map(({ profile, models: names, inherited }) => [profile, names, inherited]);
    expect(models).toEqual([
      ['service-1.6', ['anthropic/claude-sonnet-5'], false],
      ['service-1.6-lite', ['anthropic/claude-sonnet-5'], true],
      ['service-1.6-max', ['anthropic/claude-opus-5', 'ollama/qwen3'], false],
    ]);
    const everywhere = [body, await list(), await store.query('SELECT * FROM model_settings'), await listEvents(world)];
    expect(JSON.stringify(everywhere)).not.toContain('canary');
  });

  const listEvents = async ({ api }: { api: ApiUnderTest }) => {
    const { body } = await api.http.inject({ method: 'GET', path: '/v2/instance.listEvents' });
    return (body.data as Json[]).map(({ kind, actor, detail }) => ({ kind, actor, detail }));
  };

  it('are removed by null, and leave entries in the record of the instance', async () => {
    await using world = await start();
    await world.ask('instance.setModel', anthropic);
    const removed = await world.ask('instance.setModel', { profile: 'service-1.6', models: null });
    expect(removed.body.model).toMatchObject({ source: 'built_in', has_api_key: false, api_key_tail: null });
    expect((await world.ask('instance.setModel', { profile: 'service-1.6', models: '' })).status).toBe(200);
    const byKey = expect.stringMatching(/^instance_key:/) as string;
    expect((await listEvents(world)).slice(0, 2)).toEqual([
      { kind: 'models_reset', actor: byKey, detail: { profile: 'service-1.6' } },
      {
        kind: 'models_set',
        actor: byKey,
        detail: { profile: 'service-1.6', models: 'anthropic/claude-sonnet-5', api_key: 'changed' },
      },
    ]);
  });

  it('keep what a change does not name, but send no stored key to another provider or URL', async () => {
    await using world = await start();
    const { ask } = world;
    await ask('instance.setModel', anthropic);
    const kept = await ask('instance.setModel', { profile: 'service-1.6', models: 'anthropic/claude-opus-5' });
    expect(kept.body.model).toMatchObject({ models: ['anthropic/claude-opus-5'], api_key_tail: 'wxyz' });
    for (const change of [{ models: 'openai/gpt-5' }, { base_url: 'https://elsewhere.example.com/v1' }]) {
      const refused = await ask('instance.setModel', { profile: 'service-1.6', ...change });
      expect([refused.status, refused.body.error]).toMatchObject([400, { code: 'invalid_argument', param: 'api_key' }]);
    }
    const moved = { profile: 'service-1.6', base_url: 'https://elsewhere.example.com/v1/', api_key: 'short' };
    expect((await ask('instance.setModel', moved)).body.model).toMatchObject({
      base_url: 'https://elsewhere.example.com/v1',
      has_api_key: true,
      api_key_tail: null,
    });
    expect((await ask('instance.setModel', { profile: 'service-1.6', api_key: null })).body.error).toMatchObject({
      param: 'api_key',
    });
  });

  it.each<[Json, string]>([
    [{ profile: 'service-2', models: 'ollama/a' }, 'profile'],
    [{ models: 'ollama/a' }, 'profile'],
    [{ profile: 'service-1.6' }, 'models'],
    [{ profile: 'service-1.6', models: 'gpt-5', api_key: 'k' }, 'models'],
    [{ profile: 'service-1.6', models: 'nobody/x' }, 'models'],
    [{ profile: 'service-1.6', models: Array(9).fill('ollama/a').join() }, 'models'],
    [{ profile: 'service-1.6', models: 'openai/gpt-5' }, 'api_key'],
    [{ profile: 'service-1.6', models: 'anthropic/a,openai/b', api_key: 'k' }, 'api_key'],
    [{ profile: 'service-1.6', models: 'openai/gpt-5', api_key: 'two\nlines' }, 'api_key'],
    [{ profile: 'service-1.6', models: 'openai/gpt-5', api_key: 'x'.repeat(4001) }, 'api_key'],
    [{ profile: 'service-1.6', models: 'compatible/a' }, 'base_url'],
    [{ profile: 'service-1.6', models: 'ollama/a', base_url: 'file:///etc' }, 'base_url'],
    [{ profile: 'service-1.6', models: 'ollama/a', base_url: 'http://user:pass@host' }, 'base_url'],
  ])('are refused if they cannot work: %o', async (input, param) => {
    await using world = await start();
    const { status, body } = await world.ask('instance.setModel', input);
    expect([status, body.error]).toMatchObject([400, { code: 'invalid_argument', param }]);
    expect((await world.list()).every(({ source }) => source === 'built_in')).toBe(true);
  });

  it('do not replace what the environment sets, and get no key of it for another URL', async () => {
    await using world = await start({ model: 'openai/gpt-5', providerKeys: { openai: 'key-canary-environment' } });
    const { ask, list } = world;
    expect((await ask('instance.setModel', { profile: 'service-1.6', models: 'ollama/a' })).body.error).toMatchObject({
      code: 'failed_precondition',
      message: expect.stringMatching(/^ERRAND_MODEL is set in the environment/) as string,
    });
    const elsewhere = { profile: 'service-1.6-max', models: 'openai/gpt-5-pro', base_url: 'https://elsewhere.example.com' };
    expect((await ask('instance.setModel', elsewhere)).body.error).toMatchObject({ param: 'api_key' });
    expect((await ask('instance.setModel', { ...elsewhere, base_url: null })).status).toBe(200);
    expect(await list()).toMatchObject([
      { source: 'environment', models: ['openai/gpt-5'], has_api_key: true, api_key_tail: null },
      { source: 'environment', inherited: true },
      { source: 'settings', models: ['openai/gpt-5-pro'], problem: null },
    ]);
    expect(JSON.stringify(await list())).not.toContain('canary');
  });

  it('are not taken from a profile that needs its key for another', async () => {
    await using world = await start();
    await world.ask('instance.setModel', anthropic);
    await world.ask('instance.setModel', { profile: 'service-1.6-max', models: 'anthropic/claude-opus-5' });
    for (const change of [{ models: null }, { models: 'ollama/a' }]) {
      const { status, body } = await world.ask('instance.setModel', { profile: 'service-1.6', ...change });
      expect([status, String(body.error.message)]).toEqual([412, expect.stringContaining('service-1.6-max uses the api_key')]);
    }
  });

  it('are changed by one of several who change them at once; the others get a conflict', async () => {
    await using world = await start();
    await world.ask('instance.setModel', anthropic);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => world.ask('instance.setModel', { ...anthropic, models: `anthropic/${name}` })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    const last = (await world.list())[0]?.models;
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => (body.model as Json).models)).toContainEqual(last);
  });

  it('are seen, found on the machine, set, and tested by the owner of the instance who is signed in, and by no other account', async () => {
    await using world = await start();
    const { api } = world;
    await makeInstanceOwner(store, api.owner.accountId);
    const [owner, stranger] = [api.owner, await addOwner(store.database)];
    const signIn = async ({ accountId }: Owner) => ({
      key: null,
      headers: (await addSession(store.database, accountId)).headers,
    });
    const setting = { profile: 'service-1.6', models: 'offline/offline-1' };
    const calls = [
      ['instance.listModels', {}],
      ['instance.findLocalModel', {}],
      ['instance.testModel', setting],
      ['instance.setModel', setting],
    ] as const;
    const statusesOf = async (credential: CallOptions) =>
      Promise.all(calls.map(async ([name, input]) => (await api.call(name, input, credential)).status));
    expect(await statusesOf(await signIn(owner))).toEqual([200, 200, 200, 200]);
    for (const refused of [await signIn(stranger), { key: owner.key }, { key: stranger.key }]) {
      expect(await statusesOf(refused)).toEqual([403, 403, 403, 403]);
    }
    const found = await world.ask('instance.findLocalModel');
    expect(found.body.model).toBe('ollama/found');
  });
});
