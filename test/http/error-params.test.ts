import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { type OpenStore, openStore } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

/** Values that few fields take. */
const wrongValues = [{ a: [] }, [[{}]], 'x'.repeat(20_000), -1, true, 'no such'];

describe('invalid_argument', () => {
  let store: OpenStore;
  let api: ApiUnderTest;
  beforeAll(async () => {
    store = await openStore('sqlite');
    api = await ApiUnderTest.start(store.database);
  });
  afterAll(async () => {
    await api.stop();
    await store.close();
  });

  async function ask(name: string, input: Json) {
    const operation = operations.find((one) => one.name === name);
    if (operation?.method !== 'GET') return api.call(name, input);
    const texts = Object.entries(input).map(([field, value]): [string, string] => [field, String(value).slice(0, 5000)]);
    const response = await api.fetch(`${operation.path}?${new URLSearchParams(texts).toString()}`);
    if (response.ok) await response.body?.cancel();
    return { status: response.status, body: (response.ok ? {} : await response.json()) as Json & { error: Json } };
  }

  it.each(operations.map(({ name }) => name))('of %s names the field of the request as param', async (name) => {
    const operation = operations.find((one) => one.name === name);
    const fields = Object.keys(operation?.request.shape ?? {});
    const tries = [{}, ...fields.flatMap((field) => wrongValues.map((value) => ({ [field]: value })))];
    for (const input of tries) {
      const { status, body } = await ask(name, input);
      if (status !== 400) continue;
      const { message, param } = body.error;
      const [, named = ''] = /^([\w.[\]-]+)(?:: | is required)/.exec(String(message)) ?? [];
      // A package's own file is not a field of the request.
      const isField = fields.includes(named.split(/[.[]/, 1)[0] ?? '');
      if (!isField) expect(message).toMatch(/^SKILL\.md: |^The skill package was rejected: /);
      expect([message, param]).toEqual([message, isField ? named : undefined]);
    }
  });

  it('has no param where it is about none', async () => {
    const headers = { authorization: 'Bearer x' };
    expect((await api.call('task.list', {}, { headers })).body.error).toEqual({
      code: 'invalid_argument',
      message: expect.stringContaining('Send one credential') as string,
    });
    expect((await api.call('task.detail', { task_id: 'x' })).body.error).not.toHaveProperty('param');
  });

  it('names headers and unknown fields too', async () => {
    const strict = { headers: { prefer: 'handling=strict' } };
    expect((await api.call('task.list', { colour: 'red' }, strict)).body.error).toMatchObject({ param: 'colour' });
    expect((await api.call('task.create', { message: { content: 'x', mood: 1 } }, strict)).body.error.param).toBe('message.mood');
    const headers = { 'idempotency-key': 'a b' };
    expect((await api.call('task.stop', { task_id: 'x' }, { headers })).body.error.param).toBe('Idempotency-Key');
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false };
    const create = { message: { content: 'x' }, structured_output_schema: schema };
    expect((await api.call('task.create', create)).body.error.param).toBe('structured_output_schema');
    expect((await api.call('task.list', { 'metadata.a b': 'x' })).body.error.param).toBe('metadata');
  });
});
