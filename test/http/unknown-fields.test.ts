import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { askLegacy } from '../support/http/legacy-call.ts';

const strict = { headers: { prefer: 'handling=strict' } };

describeStores('a field that an operation does not have', (store) => {
  it('is named in a header of the answer, and refused where the caller asks for it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const input = { message: { content: [{ type: 'text', text: 'x', colour: 1 }], mode: 'x' }, session_id: 's' };
    const made = await api.call('task.create', input);
    expect([made.status, made.headers.get('errand-ignored')]).toEqual([
      200,
      'message.content[0].colour, message.mode, session_id',
    ]);
    const refused = await api.call('task.create', input, strict);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      {
        code: 'invalid_argument',
        message: 'message.content[0].colour: is not a field of this operation; leave it out',
        param: 'message.content[0].colour',
      },
    ]);
    const known = await api.call('task.create', { message: { content: 'x' } }, strict);
    expect([known.status, known.headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
    expect(known.headers.has('errand-ignored')).toBe(false);
    expect((await api.call('task.list')).body.data).toHaveLength(2);
  });

  it('is found in queries, on streams and in v1 too', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask();
    const list = await api.call('task.list', { color: 'x', limit: '5' });
    expect([list.status, list.headers.get('errand-ignored')]).toEqual([200, 'color']);
    expect((await api.call('task.list', { color: 'x' }, strict)).status).toBe(400);
    const stream = await api.fetch(`/v2/task.stream?task_id=${task_id}&color=x`);
    expect(stream.headers.get('errand-ignored')).toBe('color');
    await stream.body?.cancel();
    expect((await api.fetch(`/v2/task.stream?task_id=${task_id}&color=x`, {}, strict)).status).toBe(400);
    const body = { prompt: 'x', agent_profile: 'speed', session_id: 's', attachments: [] };
    const made = await askLegacy(api, '/v1/tasks', { method: 'POST', body });
    expect([made.status, made.headers.get('errand-ignored')]).toEqual([200, 'session_id']);
    const headers = { API_KEY: api.owner.key, 'content-type': 'application/json', ...strict.headers };
    expect((await askLegacy(api, '/v1/tasks', { method: 'POST', body, headers })).body).toEqual({
      code: 3,
      message: 'session_id: is not a field of this operation; leave it out',
      details: [],
    });
    expect((await askLegacy(api, '/v1/tasks?order_by=updated_at', { headers })).status).toBe(200);
  });
});
