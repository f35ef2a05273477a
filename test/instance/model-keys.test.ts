import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { addInstanceKey, addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { sampleModelKeys } from '../support/models/sample-models.ts';

const secret = 'key-canary-0123456789-wxyz';
const anthropic = { profile: 'service-1.6', models: 'anthropic/claude-sonnet-5', api_key: secret };

describeStores('keys of an account for models', (store) => {
  async function start(options: Parameters<typeof sampleModelKeys>[2] = {}) {
    const api = await ApiUnderTest.start(store.database, { modelKeys: sampleModelKeys(store.database, systemClock, options) });
    const stranger = await addOwner(store.database);
    const ask = (name: string, input: Json = {}, key = api.owner.key) => api.call(name, input, { key });
    const list = async (key = api.owner.key) => (await ask('model.listKeys', {}, key)).body.data;
    return { api, ask, list, stranger, [Symbol.asyncDispose]: () => api.stop() };
  }

  it('are set, shown by their end only, and stored sealed; no other account sees or changes them', async () => {
    await using world = await start();
    const { ask, list, stranger, api } = world;
    const { status, body } = await ask('model.setKey', anthropic);
    const shown = { profile: 'service-1.6', models: ['anthropic/claude-sonnet-5'], base_url: null, problem: null };
    expect([status, body.model_key]).toMatchObject([200, { ...shown, has_api_key: true, api_key_tail: 'wxyz' }]);
    expect(await list()).toEqual([body.model_key]);
    expect(await list(stranger.key)).toEqual([]);
    for (const name of ['model.deleteKey', 'model.testKey']) {
      expect((await ask(name, { profile: 'service-1.6' }, stranger.key)).status).toBe(404);
    }
    await ask('model.setKey', { ...anthropic, models: 'anthropic/other' }, stranger.key);
    expect(await list()).toEqual([body.model_key]);
    const { headers } = await addSession(store.database, api.owner.accountId);
    const record = await (await api.fetch('/web/audit.list', {}, { key: null, headers })).json();
    expect(JSON.stringify(record)).toContain('model_key_set');
    const everywhere = [body, await list(), record, await store.query('SELECT * FROM model_keys')];
    expect(JSON.stringify(everywhere)).not.toContain('canary');
  });

  it('are known to the operator by their models only', async () => {
    await using world = await start();
    const { ask, api } = world;
    await ask('model.setKey', anthropic);
    const key = await addInstanceKey(store.database);
    const { body } = await api.call('instance.accountDetail', { account_id: api.owner.accountId }, { key });
    const { own_models: own } = body.account as Json;
    expect(own).toEqual([{ profile: 'service-1.6', models: ['anthropic/claude-sonnet-5'] }]);
    expect(JSON.stringify(body)).not.toContain('wxyz');
  });

  it('serve other profiles with the same provider, and stay only with their provider and URL', async () => {
    await using world = await start();
    const { ask, list } = world;
    await ask('model.setKey', anthropic);
    const max = { profile: 'manus-1.6-max', models: 'anthropic/claude-opus-5' };
    expect((await ask('model.setKey', max)).body.model_key).toMatchObject({ has_api_key: false, problem: null });
    for (const change of [{ models: 'openai/gpt-5' }, { base_url: 'https://elsewhere.example.com/v1' }]) {
      const refused = await ask('model.setKey', { profile: 'service-1.6', ...change });
      expect([refused.status, refused.body.error]).toMatchObject([412, { code: 'failed_precondition' }]);
    }
    expect((await ask('model.deleteKey', { profile: 'service-1.6' })).status).toBe(412);
    expect((await ask('model.deleteKey', { profile: 'service-1.6-max' })).body).toMatchObject({ profile: 'service-1.6-max' });
    const moved = await ask('model.setKey', { profile: 'service-1.6', base_url: 'https://elsewhere.example.com/v1' });
    expect(moved.body.error).toMatchObject({ code: 'invalid_argument', param: 'api_key' });
    expect((await ask('model.deleteKey', { profile: 'service-1.6' })).status).toBe(200);
    expect(await list()).toEqual([]);
    expect((await ask('model.deleteKey', { profile: 'service-1.6' })).status).toBe(404);
  });

  it.each<[Json, string]>([
    [{ profile: 'service-2', models: 'openai/a' }, 'profile'],
    [{ profile: 'service-1.6' }, 'models'],
    [{ profile: 'service-1.6', models: 'gpt-5', api_key: 'k' }, 'models'],
    [{ profile: 'service-1.6', models: 'offline/offline-1' }, 'models'],
    [{ profile: 'service-1.6', models: 'ollama/qwen3' }, 'models'],
    [{ profile: 'service-1.6', models: 'anthropic/a,lmstudio/b', api_key: 'k' }, 'models'],
    [{ profile: 'service-1.6', models: 'openai/gpt-5' }, 'api_key'],
    [{ profile: 'service-1.6', models: 'anthropic/a,openai/b', api_key: 'k' }, 'api_key'],
    [{ profile: 'service-1.6', models: 'openai/gpt-5', api_key: 'two\nlines' }, 'api_key'],
    [{ profile: 'service-1.6', models: 'compatible/a', api_key: 'k' }, 'base_url'],
    ...[
      'file:///etc/passwd',
      'http://models.example.com/v1',
      'https://user:pass@models.example.com',
      'https://127.0.0.1/v1',
      'https://2130706433/v1',
      'https://0x7f.1/v1',
      'https://[::1]/v1',
      'https://[::ffff:127.0.0.1]/v1',
      'https://10.1.2.3/v1',
      'https://169.254.169.254/latest',
      'https://localhost/v1',
      'https://models.localhost./v1',
      'https://models.example.com:22/v1',
    ].map((base_url): [Json, string] => [{ profile: 'service-1.6', models: 'compatible/a', base_url, api_key: 'k' }, 'base_url']),
  ])('are refused if they cannot work or lead where accounts may not reach: %o', async (input, param) => {
    await using world = await start();
    for (const name of ['model.setKey', 'model.testKey']) {
      if (name === 'model.testKey' && Object.keys(input).length === 1) continue;
      const { status, body } = await world.ask(name, input);
      expect([status, body.error]).toMatchObject([400, { code: 'invalid_argument', param }]);
    }
    expect(await world.list()).toEqual([]);
  });

  it('are tested three at a time for each account; a fourth is told to wait, and no other account is', async () => {
    const answer = Promise.withResolvers<never>();
    let dials = 0;
    const dial = () => {
      dials++;
      return answer.promise;
    };
    await using world = await start({ dial });
    const draft = { profile: 'service-1.6', models: 'compatible/a', base_url: 'https://models.example.com/v1', api_key: 'k' };
    const test = (key?: string) => world.ask('model.testKey', draft, key);
    const running = [test(), test(), test()];
    await expect.poll(() => dials).toBe(3);
    const { status, body } = await test();
    expect([status, body.error]).toMatchObject([429, { code: 'resource_exhausted' }]);
    running.push(test(world.stranger.key));
    await expect.poll(() => dials).toBe(4);
    answer.reject(new OutboundFault('blocked', 'must lead to a public address'));
    expect((await Promise.all(running)).map((answered) => answered.status)).toEqual([200, 200, 200, 200]);
    expect((await test()).status).toBe(200);
  });

  it('are neither set nor tested where the operator accepts none, but seen and deleted', async () => {
    await using world = await start();
    await world.ask('model.setKey', anthropic);
    await using closed = await start({ isAccepting: false });
    const ask = (name: string, input: Json) => closed.ask(name, input, world.api.owner.key);
    expect((await ask('model.setKey', anthropic)).status).toBe(412);
    expect((await ask('model.testKey', anthropic)).status).toBe(412);
    expect((await ask('model.listKeys', {})).body).toMatchObject({ accepts_keys: false, data: [{ api_key_tail: 'wxyz' }] });
    expect((await ask('model.deleteKey', { profile: 'service-1.6' })).status).toBe(200);
  });

  it('are changed by one of several who change them at once; the others get a conflict', async () => {
    await using world = await start();
    await world.ask('model.setKey', anthropic);
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      names.map((name) => world.ask('model.setKey', { ...anthropic, models: `anthropic/${name}` })),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  });
});
