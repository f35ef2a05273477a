import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { addInstanceKey, addOwner, ApiUnderTest, type CallOptions, type Json } from '../support/http/api-under-test.ts';
import { describeStores } from '../support/db/databases.ts';

/** The service with somebody who administers it. */
async function start(store: Parameters<Parameters<typeof describeStores>[1]>[0]) {
  const api = await ApiUnderTest.start(store.database);
  const key = await addInstanceKey(store.database);
  const ask = (name: string, input: Json = {}, options: CallOptions = {}) => api.call(name, input, { key, ...options });
  return { api, ask, [Symbol.asyncDispose]: () => api.stop() };
}

describeStores('the administration of accounts', (store) => {
  it('creates an account once per Idempotency-Key, with a key that works, and stores that key nowhere', async () => {
    await using world = await start(store);
    const { api, ask } = world;
    const once = { headers: { 'idempotency-key': 'order-7' } };
    const input = { email: 'New@Example.com', plan: 'free', quotas: { max_bytes: 5_000_000 } };
    const first = await ask('instance.createAccount', input, once);
    expect(first.body).toMatchObject({
      ok: true,
      account: { email: 'new@example.com', plan: 'free', status: 'active', quotas: { max_bytes: 5_000_000, max_files: null } },
    });
    const secret = String(first.body.api_key);
    const again = await ask('instance.createAccount', input, once);
    expect(again.body).toEqual({ ...first.body, request_id: again.body.request_id });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await api.call('task.list', {}, { key: secret })).status).toBe(200);
    expect(JSON.stringify(await store.query('SELECT * FROM idempotency_keys'))).not.toContain(secret);
    const storage = (await api.call('usage.availableCredits', {}, { key: secret })).body.data as unknown as { storage: Json };
    expect(storage.storage).toMatchObject({ max_bytes: 5_000_000, max_files: 1_000_000 });
  });

  it('answers 409 for an address that has an account, also when two requests race for it', async () => {
    await using world = await start(store);
    const { ask } = world;
    const answers = await Promise.all([1, 2, 3].map(() => ask('instance.createAccount', { email: 'one@example.com' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const refused = await ask('instance.createAccount', { email: 'ONE@example.com' });
    expect(refused.body.error).toMatchObject({ code: 'conflict', param: 'email' });
    expect((await ask('instance.createAccount', { email: 'nothing' })).body.error).toMatchObject({
      code: 'invalid_argument',
      param: 'email',
    });
  });

  it('lists accounts page by page, by status and by a part of the address', async () => {
    await using world = await start(store);
    const { ask, api } = world;
    for (const name of ['ann', 'bob', 'anna_b']) await ask('instance.createAccount', { email: `${name}@example.org` });
    const emails: unknown[] = [];
    for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { body } = await ask('instance.listAccounts', { limit: '2', ...(cursor !== undefined && { cursor }) });
      emails.push(...body.data.map(({ email }) => email));
      cursor = body.next_cursor;
    }
    expect(emails).toEqual([expect.stringContaining('@example.com'), 'ann@example.org', 'bob@example.org', 'anna_b@example.org']);
    const found = async (input: Json) => (await ask('instance.listAccounts', input)).body.data.map(({ email }) => email);
    expect(await found({ query: 'ANN' })).toEqual(['ann@example.org', 'anna_b@example.org']);
    expect(await found({ query: '_' })).toEqual(['anna_b@example.org']);
    await ask('instance.updateAccount', { account_id: 'bob@example.org', status: 'disabled' });
    expect(await found({ status: 'disabled' })).toEqual(['bob@example.org']);
    expect(await found({ status: 'active', query: 'example.org' })).toEqual(['ann@example.org', 'anna_b@example.org']);
    expect(await found({ query: '\0' })).toEqual([]);
    expect((await ask('instance.listAccounts', { status: 'gone' })).body.error).toMatchObject({ param: 'status' });
    expect(await found({ query: api.owner.accountId })).toHaveLength(1);
  });

  it('shows what an account has, and no secret', async () => {
    await using world = await start(store);
    const { ask, api } = world;
    await api.createTask();
    await api.call('task.stop', { task_id: await api.createTask() });
    const { body } = await ask('instance.accountDetail', { account_id: api.owner.accountId });
    expect(body.account).toMatchObject({
      id: api.owner.accountId,
      status: 'active',
      tasks: { running: 1, waiting: 0, stopped: 1, error: 0 },
      keys: [{ id: api.owner.keyId, name: 'test key', tail: api.owner.key.slice(-4) }],
      storage: { bytes: 0, files: 0 },
      packed_workspaces: { count: 0, bytes: 0 },
      usage: { total_credits: expect.any(Number) as number },
    });
    expect(JSON.stringify(body)).not.toContain(api.owner.key);
    expect((await ask('instance.accountDetail', { account_id: newId(1) })).body.error).toEqual({
      code: 'not_found',
      message: 'account not found',
    });
  });

  it('changes only what an update names, and records who did it for the account and for the instance', async () => {
    await using world = await start(store);
    const { ask, api } = world;
    const { accountId } = api.owner;
    const update = async (input: Json) =>
      (await ask('instance.updateAccount', { account_id: accountId, ...input })).body.account as Json;
    await update({ quotas: { max_bytes: 10, max_files: 2 } });
    expect(await update({ quotas: { max_files: null } })).toMatchObject({
      quotas: { max_bytes: 10, max_files: null },
      plan: 'pro',
    });
    expect(await update({ plan: 'team' })).toMatchObject({ quotas: { max_bytes: 10, max_files: null }, plan: 'team' });
    expect((await ask('instance.updateAccount', { account_id: accountId, status: 'deleting' })).body.error).toMatchObject({
      param: 'status',
    });
    const events = await store.query(
      "SELECT account_id, kind, actor, detail FROM security_events WHERE kind = 'account_changed' ORDER BY id",
    );
    expect(events).toHaveLength(6);
    expect(events.at(-1)).toMatchObject({ actor: expect.stringMatching(/^instance_key:/) as string });
    expect(new Set(events.map(({ account_id }) => account_id))).toEqual(new Set([accountId, 'instance']));
  });

  it('holds a quota of its own against an account in place of that of the instance', async () => {
    await using world = await start(store);
    const { ask, api } = world;
    const put = (bytes: number) =>
      api.blobs.put(api.owner.accountId, [new Uint8Array(bytes)] as unknown as AsyncIterable<Uint8Array>, { maxBytes: 1000 });
    await ask('instance.updateAccount', { account_id: api.owner.accountId, quotas: { max_bytes: 100 } });
    await put(60);
    await expect(put(60)).rejects.toMatchObject({ code: 'resource_exhausted' });
    await ask('instance.updateAccount', { account_id: api.owner.accountId, quotas: { max_bytes: null } });
    await put(60);
  });

  it('creates and revokes keys of any account', async () => {
    await using world = await start(store);
    const { ask, api } = world;
    const made = await ask('instance.createKey', { account_id: api.owner.accountId, name: 'ci' });
    const [secret, { id }] = [String(made.body.api_key), made.body.key as { id: string }];
    expect((await api.call('task.list', {}, { key: secret })).status).toBe(200);
    const other = await addOwner(store.database);
    expect((await ask('instance.revokeKey', { key_id: id, account_id: other.accountId })).status).toBe(404);
    expect((await ask('instance.revokeKey', { key_id: id })).body).toMatchObject({ key_id: id, revoked: true });
    expect((await api.call('task.list', {}, { key: secret })).status).toBe(401);
    expect((await ask('instance.revokeKey', { key_id: id })).status).toBe(404);
  });

  it('lists the tasks of all accounts without what is in them', async () => {
    await using world = await start(store);
    const { ask, api } = world;
    const other = await addOwner(store.database);
    const mine = await api.createTask('a secret plan');
    const theirs = (await api.call('task.create', { message: { content: 'x' } }, { key: other.key })).body.task_id;
    const stopped = await api.createTask();
    await api.call('task.stop', { task_id: stopped });
    const pages: unknown[] = [];
    for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { body } = await ask('instance.listTasks', { limit: '1', ...(cursor !== undefined && { cursor }) });
      pages.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    expect(new Set(pages)).toEqual(new Set([mine, theirs, stopped]));
    expect(pages).toHaveLength(3);
    const { body } = await ask('instance.listTasks', { status: 'running', account_id: api.owner.accountId });
    expect(body.data).toEqual([
      expect.objectContaining({
        id: mine,
        account_id: api.owner.accountId,
        status: 'running',
        worker_id: null,
        age_seconds: expect.any(Number) as number,
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain('secret plan');
    expect((await ask('instance.listTasks', { status: 'stopped' })).body.data.map(({ id }) => id)).toEqual([stopped]);
  });

  it('lists workers with the number of their tasks, tells how the instance does, and finds tasks by worker and address', async () => {
    await using world = await start(store);
    const { ask, api } = world;
    expect((await ask('instance.listWorkers')).body).toMatchObject({ data: [], has_more: false });
    const ids = [await api.createTask(), await api.createTask(), await api.createTask(), await api.createTask()];
    const [one, two] = [newId(1), newId(2)];
    const owners = [one, `session-${two}`, `session-${two}`, 'leaving'];
    for (const [index, id] of ids.entries()) {
      await store.query(
        'UPDATE tasks SET lease_owner = ?, wake_at = ? WHERE id = ?',
        owners[index] ?? '',
        Date.now() + 60_000,
        id,
      );
    }
    const { body } = await ask('instance.listWorkers', { limit: '1' });
    const untold = { status: 'active', host: null, concurrency: null, started_at: null, disk: null, sandbox: null, jobs: null };
    expect([body.data, body.has_more]).toEqual([[{ id: one, tasks: 1, ...untold }], true]);
    expect((await ask('instance.listWorkers', { cursor: body.next_cursor })).body.data).toEqual([
      { id: two, tasks: 2, ...untold },
    ]);
    const found = (await ask('instance.listTasks', { worker_id: two })).body.data;
    expect(found.map(({ id, worker_id }) => [id, worker_id])).toEqual([
      [ids[1], two],
      [ids[2], two],
    ]);
    expect((await ask('instance.listTasks', { worker_id: 'nobody' })).body.data).toEqual([]);
    const { account } = (await ask('instance.accountDetail', { account_id: api.owner.accountId })).body;
    expect((await ask('instance.listTasks', { account_id: (account as Json).email })).body.data).toHaveLength(4);
    expect((await ask('instance.listTasks', { account_id: 'nobody@example.com' })).status).toBe(404);
    expect((await ask('instance.health')).body.health).toMatchObject({
      workers: 2,
      running_tasks: 4,
      task_queue_age_seconds: 0,
      delivery_queue_age_seconds: expect.any(Number) as number,
    });
  });
});
