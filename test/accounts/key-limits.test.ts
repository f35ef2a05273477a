import { expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

/** What a key with the scope `read_only` may call: written out, so that a new operation is thought of. */
const reads = [
  ...[
    'task.list',
    'task.detail',
    'task.listMessages',
    'task.listRatings',
    'task.listComments',
    'task.listAssigned',
    'task.stream',
    'connector.list',
    'skill.list',
    'file.detail',
  ],
  ...['artifact.list', 'artifact.detail', 'artifact.archive', 'website.status', 'website.listCheckpoints', 'project.list'],
  ...['inbox.list', 'policy.list', 'brand.get', 'memory.list', 'memory.read', 'memory.versions'],
  ...['budget.list', 'limit.list', 'schedule.list', 'schedule.detail', 'schedule.runs'],
  ...['agent.list', 'agent.detail', 'browser.onlineList', 'notification.show', 'webhook.list', 'webhook.publicKey'],
  ...[
    'trigger.events',
    'recipe.list',
    'recipe.detail',
    'request.list',
    'request.detail',
    'usage.list',
    'usage.externalUsers',
    'usage.availableCredits',
  ],
  ...['usage.teamStatistic', 'usage.teamLog', 'usage.breakdown', 'model.listKeys'],
];

/** The same with the scope `tasks`. */
const taskOperations = [
  ...['task.create', 'task.list', 'task.detail', 'task.listMessages', 'task.stream', 'task.sendMessage', 'task.update'],
  ...[
    'task.stop',
    'task.confirmAction',
    'task.rate',
    'task.listRatings',
    'task.delete',
    'task.clear',
    'connector.list',
    'skill.list',
  ],
  ...['file.upload', 'file.detail', 'file.delete', 'artifact.list', 'artifact.detail', 'artifact.update', 'artifact.archive'],
];

/** A new key, by the operator. */
async function createKey(api: ApiUnderTest, limits: Json): Promise<{ secret: string; key: Json }> {
  const { accountId: account } = api.owner;
  const request = { method: 'POST', path: '/admin/key.create', body: { name: 'limited', ...limits }, account } as const;
  const { status, body } = await api.http.inject(request);
  if (status !== 200) throw Object.assign(new Error('no key'), { body });
  return { secret: String(body.api_key), key: body.key as Json };
}

/** The names of the operations that do not answer that the scope of the key is insufficient. */
async function listAdmitted(api: ApiUnderTest, secret: string): Promise<string[]> {
  const admitted: string[] = [];
  for (const { name, path, method, access } of operations) {
    if (access === 'instance') continue;
    const init = method === 'POST' ? { method, body: '{}', headers: { 'content-type': 'application/json' } } : {};
    const response = await api.fetch(path, init, { key: secret });
    const text = response.status === 403 ? await response.text() : '';
    await response.body?.cancel().catch(() => undefined);
    if (!text.includes('insufficient_scope')) admitted.push(name);
  }
  return admitted.toSorted();
}

describeStores('an API key with limits', (store) => {
  it('reaches with the scope read_only what only reads, and with tasks what concerns tasks', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const reader = await createKey(api, { scope: 'read_only' });
    expect(reader.key).toMatchObject({ scope: 'read_only', expires_at: null });
    expect(await listAdmitted(api, reader.secret)).toEqual(reads.toSorted());
    const worker = await createKey(api, { scope: 'tasks' });
    expect(await listAdmitted(api, worker.secret)).toEqual(taskOperations.toSorted());
    const every = operations.filter(({ access }) => access !== 'instance').map(({ name }) => name);
    expect(await listAdmitted(api, (await createKey(api, {})).secret)).toEqual(every.toSorted());
  });

  it('changes nothing where it may only read, on every face of the service', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { secret: key } = await createKey(api, { scope: 'read_only' });
    const taskId = await api.createTask();
    const refused = await api.call('task.sendMessage', { task_id: taskId, message: { content: 'More.' } }, { key });
    expect([refused.status, refused.body.error]).toMatchObject([403, { code: 'permission_denied' }]);
    expect(refused.body.error.message).toContain('the scope read_only; required one of [everything, tasks]');
    const post = (path: string, body: Json, headers: Record<string, string>) =>
      api.fetch(
        path,
        {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        },
        { key: null, headers },
      );
    const legacy = await post('/v1/tasks', { prompt: 'x' }, { API_KEY: key });
    expect([legacy.status, await legacy.text()]).toEqual([403, expect.stringContaining('insufficient_scope')]);
    const response = await post('/responses', { input: 'x' }, { authorization: `Bearer ${key}` });
    expect(response.status).toBe(403);
    const ask = async (name: string, args: Json) => {
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return (await post('/mcp', request, { 'x-service-api-key': key })).text();
    };
    expect(await ask('create_task', { prompt: 'x' })).toContain('insufficient_scope');
    expect((await post('/web/task.repeat', { task_id: taskId }, { 'x-service-api-key': key })).status).toBe(403);
    expect((await api.call('task.list')).body.data).toHaveLength(1);
    const { messages } = (await api.call('task.listMessages', { task_id: taskId }, { key })).body;
    expect(messages.filter(({ type }) => type === 'user_message')).toHaveLength(1);
  });

  it('does not learn the URL of a trigger, with which more could be done', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { secret: key } = await createKey(api, { scope: 'read_only' });
    const made = await api.call('trigger.create', { name: 'x', message_template: 'Go', verification: { type: 'none' } });
    const trigger = made.body.trigger as Json;
    const token = String(trigger.url).split('/').at(-1) ?? '';
    expect(token.length).toBeGreaterThan(20);
    for (const [name, input] of [
      ['trigger.list', {}],
      ['trigger.detail', { trigger_id: trigger.id }],
      ['trigger.events', { trigger_id: trigger.id }],
    ] as const) {
      expect(JSON.stringify((await api.call(name, input, { key })).body)).not.toContain(token);
    }
  });

  it('is refused from the moment it expires, as are its streams and the tokens that it made', async () => {
    const clock = new TestClock(1_800_000_000_000);
    await using api = await ApiUnderTest.start(store.database, { clock });
    const { secret: key, key: shown } = await createKey(api, { expires_at: 1_800_000_060 });
    expect(shown).toMatchObject({ scope: 'everything', expires_at: 1_800_000_060 });
    const taskId = await api.createTask();
    const { body } = await api.call('task.token', { task_id: taskId, expires_in: 600, can: ['read'] }, { key });
    const withToken = { key: null, headers: { authorization: `Bearer ${String(body.token)}` } };
    clock.jump(59_999);
    expect((await api.call('task.list', {}, { key })).status).toBe(200);
    expect((await api.call('task.detail', { task_id: taskId }, withToken)).status).toBe(200);
    clock.jump(1);
    const refused = await api.call('task.list', {}, { key });
    expect([refused.status, refused.body.error]).toEqual([
      401,
      { code: 'unauthenticated', message: 'This API key has expired; use another.' },
    ]);
    await clock.advance(1000);
    expect((await api.call('task.detail', { task_id: taskId }, withToken)).status).toBe(401);
    expect((await api.call('task.list')).status).toBe(200);
  });

  it.each([
    [{ scope: 'admin' }, 'scope'],
    [{ expires_at: 1 }, 'expires_at'],
    [{ expires_at: 1.5 }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: 1e15 }, 'expires_at'],
  ])('is not created with %j', async (limits, param) => {
    await using api = await ApiUnderTest.start(store.database);
    await expect(createKey(api, limits)).rejects.toMatchObject({ body: { error: { code: 'invalid_argument', param } } });
  });
});
