import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

const canary = 'canary-77aa1c';

describeStores('the record of requests', (store) => {
  const list = async (api: ApiUnderTest, filter: Json = {}, options = {}) =>
    (await api.call('request.list', filter, options)).body.data;
  /** The newest request with this path, as soon as it is recorded. */
  const find = async (api: ApiUnderTest, path: string, options = {}) => {
    let found: Json | undefined;
    await expect.poll(async () => (found = (await list(api, { path, limit: 1 }, options))[0]), { timeout: 10_000 }).toBeDefined();
    return found ?? {};
  };
  const detail = async (api: ApiUnderTest, id: unknown) =>
    (await api.call('request.detail', { request_id: id })).body.request as Json;

  it('says who asked for what and what came of it, and keeps the body of a request that can be sent again', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const created = await find(api, '/v2/task.create');
    expect(created).toMatchObject({
      method: 'POST',
      status: 200,
      credential: `api_key ${api.owner.keyId}`,
      error_code: null,
      task_id: taskId,
      replay: 'possible',
    });
    const body = JSON.parse(String((await detail(api, created.id)).body)) as Json;
    expect(body).toHaveProperty('message');
    const refused = await api.call('task.detail', { task_id: '' });
    const failed = await find(api, '/v2/task.detail');
    expect(failed).toMatchObject({
      id: refused.headers.get('x-request-id'),
      ...{ method: 'GET', query: 'task_id=', status: 400, error_code: 'invalid_argument', error_param: 'task_id' },
    });
    expect((await list(api, { status: '4xx' })).map(({ id }) => id)).toEqual([failed.id]);
    expect(await list(api, { status: '404' })).toEqual([]);
    expect((await api.call('request.list', { status: '4' })).body.error).toMatchObject({ param: 'status' });
  });

  it('is never shown to another account', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const other = await addOwner(store.database);
    await api.createTask();
    const { id } = await find(api, '/v2/task.create');
    expect(await list(api, { path: 'task.create' }, { key: other.key })).toEqual([]);
    const foreign = await api.call('request.detail', { request_id: id }, { key: other.key });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found']);
  });

  it('has no secrets, no bytes of files, and no way to send again what is without them', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await api.call('connector.create', { name: 'Garden', url: 'https://mcp.example/', headers: { authorization: canary } });
    await api.call('task.create', { message: { content: `data:text/plain;base64,${canary}` } });
    await api.call('task.create', { message: { content: 'x'.repeat(9000) } });
    await api.call('task.token', { task_id: await api.createTask(), expires_in: 60, can: ['read'] });
    expect((await find(api, '/v2/task.token')).replay).toBe('unsupported');
    const states = await Promise.all(
      (await list(api, { limit: 100 })).map(async ({ id, path }) => {
        const request = await detail(api, id);
        return [path, request.replay, request.body === null ? null : 'body'];
      }),
    );
    expect(states).toEqual(
      expect.arrayContaining([
        ['/v2/connector.create', 'redacted', 'body'],
        ['/v2/task.create', 'redacted', 'body'],
        ['/v2/task.create', 'too_large', null],
        ['/v2/task.token', 'unsupported', null],
      ]),
    );
    expect(JSON.stringify(await store.query('SELECT * FROM api_requests'))).not.toContain(canary);
  });

  it('forgets the bodies of a task with the task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const { id } = await find(api, '/v2/task.create');
    expect((await detail(api, id)).body).not.toBeNull();
    await api.call('task.delete', { task_id: taskId });
    expect(await detail(api, id)).toMatchObject({ body: null, replay: 'deleted', task_id: taskId });
  });

  it('tells a body that was never read from one that is too long, and needs none of what only reads', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { token } = (await api.call('task.token', { task_id: await api.createTask(), expires_in: 60, can: ['read'] })).body;
    const asToken = { key: null, headers: { authorization: `Bearer ${String(token)}` } };
    expect((await api.call('project.create', { name: 'Garden' }, asToken)).status).toBe(403);
    expect(await find(api, '/v2/project.create')).toMatchObject({ status: 403, replay: 'no_body' });
    expect((await api.fetch('/v2/task.list', { method: 'HEAD' })).status).toBe(200);
    const head = await find(api, '/v2/task.list');
    expect(head).toMatchObject({ method: 'HEAD', replay: 'possible' });
    expect(await detail(api, head.id)).toMatchObject({ body: null, replay: 'possible' });
  });

  it('marks what was asked for one person, which nobody else can ask', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await api.call('task.list', {}, { headers: { 'errand-user': 'ann' } });
    expect(await find(api, '/v2/task.list')).toMatchObject({ replay: 'for_one_user' });
  });

  it('adds nothing to what a request asks of the database', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await api.createTask();
    await find(api, '/v2/task.create');
    const run = store.database.run.bind(store.database);
    const names: string[] = [];
    Object.assign(store.database, {
      run: (operation: { name: string }, args: never) => {
        names.push(operation.name);
        return run(operation as never, args);
      },
    });
    try {
      await Promise.all(Array.from({ length: 20 }, () => api.createTask()));
      await expect.poll(() => names.includes('apiRequests.record'), { timeout: 10_000 }).toBe(true);
    } finally {
      Object.assign(store.database, { run });
    }
    const counted = (name: string) => names.filter((one) => one === name).length;
    expect(counted('tasks.create')).toBe(20);
    // A batch a second for all of them; a slow machine takes more than one second.
    expect(counted('apiRequests.record')).toBeLessThan(10);
  });
});
