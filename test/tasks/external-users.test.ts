import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';

describeStores('a request with Errand-User', (store) => {
  const as = (user: string, more: Record<string, string> = {}) => ({ headers: { 'errand-user': user, ...more } });

  it('creates tasks for that person and finds no others, by whatever operation', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const create = async (user: string, more: Json = {}) =>
      (await api.call('task.create', { message: { content: `for ${user}` }, ...more }, as(user))).body.task_id as string;
    const [ann, bob] = [await create('ann'), await create('bob')];
    const listed = (await api.call('task.list', {}, as('ann'))).body.data.map(({ id, external_user_id }) => [
      id,
      external_user_id,
    ]);
    expect(listed).toEqual([[ann, 'ann']]);
    for (const [name, input] of [
      ['task.detail', {}],
      ['task.listMessages', {}],
      ['task.sendMessage', { message: { content: 'x' } }],
      ['task.update', { title: 'x' }],
      ['task.stop', {}],
      ['task.confirmAction', { event_id: 'x', accept: true }],
      ['task.token', { expires_in: 60, can: ['read'] }],
      ['task.delete', {}],
    ] as const) {
      const { status, body } = await api.call(name, { task_id: bob, ...input }, as('ann'));
      expect([name, status, body.error]).toEqual([name, 404, { code: 'not_found', message: 'task not found' }]);
    }
    const stream = await api.fetch(`/v2/task.stream?task_id=${bob}`, {}, as('ann'));
    expect(stream.status).toBe(404);
    const message = { content: 'x', task_references: [bob] };
    expect((await api.call('task.create', { message }, as('ann'))).status).toBe(404);
    expect((await api.call('task.detail', { task_id: bob }, as('bob'))).status).toBe(200);
    expect((await api.call('task.detail', { task_id: bob })).body.task).toMatchObject({ external_user_id: 'bob' });
  });

  it('is refused for another person, by other operations, and with other credentials', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const input = { message: { content: 'x' }, external_user_id: 'bob' };
    expect((await api.call('task.create', input, as('ann'))).body.error).toMatchObject({ param: 'external_user_id' });
    expect((await api.call('task.list', { external_user_id: 'bob' }, as('ann'))).body.error).toMatchObject({
      param: 'external_user_id',
    });
    for (const name of ['artifact.list', 'usage.list', 'file.upload', 'memory.list', 'webhook.list', 'project.list']) {
      const { status, body } = await api.call(name, {}, as('ann'));
      expect([name, status, body.error.code]).toEqual([name, 403, 'permission_denied']);
    }
    for (const user of ['', '%', 'x'.repeat(129), '%00']) {
      expect([user, (await api.call('task.list', {}, as(user))).body.error.code]).toEqual([user, 'invalid_argument']);
    }
  });

  it('may name anybody, percent-encoded, and shares no idempotency keys with others', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const input = { message: { content: 'x' } };
    const keyed = { 'idempotency-key': 'same' };
    const made = await Promise.all(
      ['Zoë & Søren', '你', '%25'].map(async (user) => {
        const { body } = await api.call('task.create', input, as(encodeURIComponent(user), keyed));
        const { task } = (await api.call('task.detail', { task_id: body.task_id })).body;
        return [body.task_id, task.external_user_id];
      }),
    );
    expect(made.map(([, user]) => user)).toEqual(['Zoë & Søren', '你', '%25']);
    expect(new Set(made.map(([id]) => id)).size).toBe(3);
    const again = await api.call('task.create', input, as('%E4%BD%A0', keyed));
    expect([again.body.task_id, again.headers.get('idempotent-replayed')]).toEqual([made[1]?.[0], 'true']);
  });

  it('shows what everybody used, page by page', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const users = ['a', 'b', 'ü', '你'];
    for (const user of [...users, 'b']) await api.call('task.create', { message: { content: 'x' }, external_user_id: user });
    await api.createTask();
    const seen: Json[] = [];
    for (let cursor: unknown; ; ) {
      const { body } = await api.call('usage.externalUsers', { limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...body.data);
      if (body.has_more !== true) break;
      cursor = body.next_cursor;
    }
    expect(seen.map(({ external_user_id, tasks, credit_usage }) => [external_user_id, tasks, credit_usage])).toEqual([
      ['a', 1, 0],
      ['b', 2, 0],
      ['ü', 1, 0],
      ['你', 1, 0],
    ]);
    expect((await api.call('usage.externalUsers', { created_before: 1 })).body.data).toEqual([]);
  });
});

const prices = JSON.stringify({ 'service-1.6': { input: 1, output: 1 } });

it('a product with 1,000 end users is made over HTTP alone', async () => {
  await using service = await LocalService.start({ env: { ERRAND_RATE_LIMITS: 'off', ERRAND_PRICES: prices } });
  const ask = async (key: string, name: string, input: Json = {}, headers: Record<string, string> = {}) => {
    const isRead = /\.(detail|list|listMessages|externalUsers|availableCredits|accountDetail|listTasks|health)$/.test(name);
    const query = new URLSearchParams(Object.entries(input).map(([field, value]): [string, string] => [field, String(value)]));
    const response = await fetch(`${service.url}/v2/${name}${isRead ? `?${query.toString()}` : ''}`, {
      method: isRead ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(!isRead && { body: JSON.stringify(input) }),
    });
    return (await response.json()) as Json & { error?: Json };
  };
  const shell = await new CliUnderTest({ ERRAND_DATA_DIR: service.dataDir }).run([
    'key',
    'create',
    '--instance',
    '--name',
    'product',
  ]);
  const instanceKey = /si-[0-9A-Za-z]{43}/.exec(shell.stdout)?.[0] ?? '';
  const made = await ask(instanceKey, 'instance.createAccount', { email: 'product@example.com', plan: 'team' });
  const key = made.api_key as string;
  expect(made).toMatchObject({ ok: true, account: { email: 'product@example.com' } });
  const users = Array.from({ length: 1000 }, (_, at) => `user-${String(at).padStart(4, '0')}`);
  const perUser = async (user: string) => {
    const task = await ask(key, 'task.create', { message: { content: `say hello ${user}` } }, { 'errand-user': user });
    expect(task.ok).toBe(true);
    return task.task_id as string;
  };
  // Each has a budget of its own.
  expect(await ask(key, 'budget.set', { scope: 'external_user', id: 'user-0000', period: 'month', credits: 1 })).toMatchObject({
    budget: { scope: 'external_user', id: 'user-0000', credits: 1 },
  });
  const ids: string[] = [];
  for (let at = 0; at < users.length; at += 25) ids.push(...(await Promise.all(users.slice(at, at + 25).map(perUser))));
  const finish = async () => {
    for (;;) {
      const { data } = (await ask(key, 'task.list', { status: 'running', limit: 1 })) as unknown as { data: Json[] };
      if (data.length === 0) return;
    }
  };
  await finish();
  // What one is told is not for another.
  const foreign = await ask(key, 'task.listMessages', { task_id: ids[1] }, { 'errand-user': 'user-0002' });
  expect(foreign.error).toMatchObject({ code: 'not_found' });
  const own = await ask(key, 'task.listMessages', { task_id: ids[1] }, { 'errand-user': 'user-0001' });
  expect(JSON.stringify(own)).toContain('hello user-0001');
  // Its budget of one credit is used up, and only its own.
  const [beyond, within] = [await perUser('user-0000'), await perUser('user-0003')];
  await finish();
  const statusOf = async (id: string) => ((await ask(key, 'task.detail', { task_id: id })).task as Json).status;
  expect([await statusOf(beyond), await statusOf(within)]).toEqual(['waiting', 'stopped']);
  // Usage by each, in pages.
  const usage: Json[] = [];
  for (let cursor: unknown; ; ) {
    const page = (await ask(key, 'usage.externalUsers', {
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    })) as Json & { data: Json[] };
    usage.push(...page.data);
    if (page.has_more !== true) break;
    cursor = page.next_cursor;
  }
  expect(usage.map(({ external_user_id }) => external_user_id)).toEqual(users);
  expect(usage.slice(0, 5).map(({ tasks, credit_usage }) => [tasks, credit_usage])).toEqual([
    [2, 1],
    [1, 1],
    [1, 1],
    [2, 2],
    [1, 1],
  ]);
  // A page of one user reads their task with a token, and the account goes whole.
  const token = await ask(key, 'task.token', { task_id: ids[5], expires_in: 60, can: ['read'] }, { 'errand-user': 'user-0005' });
  expect(await ask(token.token as string, 'task.detail', { task_id: ids[5] })).toMatchObject({ ok: true });
  const accountId = (made.account as Json).id as string;
  expect(await ask(instanceKey, 'instance.deleteAccount', { account_id: accountId })).toMatchObject({ ok: true });
  expect((await ask(key, 'task.list')).error).toMatchObject({ code: 'unauthenticated' });
});
