import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { describeStores } from '../support/databases.ts';
import { ApiUnderTest } from './api-under-test.ts';
import { WorkerHand } from './worker-hand.ts';

/** As pages of the service tell people to set it up: a placeholder as key, the real one in a header, no version in the address. */
function openaiClient(api: ApiUnderTest, version = ''): OpenAI {
  const defaultHeaders = { API_KEY: api.owner.key };
  return new OpenAI({ baseURL: `${api.http.url()}${version}`, apiKey: '**', defaultHeaders, maxRetries: 0 });
}

describeStores('the official OpenAI client', (store) => {
  it.each(['', '/v1'])('creates, polls, continues and deletes a response at %j', async (version) => {
    await using api = await ApiUnderTest.start(store.database);
    const client = openaiClient(api, version);
    const input = [{ role: 'user' as const, content: [{ type: 'input_text' as const, text: 'which colour has grass?' }] }];
    const extra = { task_mode: 'agent', agent_profile: 'manus-1.6-lite' };
    const made = await client.responses.create({ model: 'any', input, ...extra });
    expect(made).toMatchObject({ object: 'response', status: 'running', model: 'manus-1.6-lite-agent' });
    await (await WorkerHand.take(store.database, made.id)).finish('green');
    const done = await client.responses.retrieve(made.id);
    expect(done.status).toBe('completed');
    expect(done.output.map((item) => ('role' in item ? item.role : null))).toEqual(['user', 'assistant']);
    expect(done.output_text).toContain('green');
    expect(done.metadata).toMatchObject({ task_title: 'which colour has grass?', credit_usage: '1' });
    const next = await client.responses.create({
      model: 'service-1.6-max',
      input: 'and the sky?',
      previous_response_id: made.id,
    });
    expect([next.id, next.status]).toEqual([made.id, 'running']);
    await client.responses.delete(made.id);
    await expect(client.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it('is told what is wrong with its key and its request', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = new OpenAI({ baseURL: api.http.url(), apiKey: '**', defaultHeaders: { API_KEY: 'sk-x' }, maxRetries: 0 });
    await expect(stranger.responses.create({ model: 'm', input: 'x' })).rejects.toMatchObject({ status: 401 });
    const unknown = openaiClient(api).responses.retrieve('0'.repeat(22));
    await expect(unknown).rejects.toMatchObject({ status: 404 });
  });
});
