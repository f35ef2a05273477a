import { expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { revokeApiKey } from '../../src/store/accounts/api-keys.ts';
import { updateManagedAccount } from '../../src/store/instance/managed-accounts.ts';
import { findTaskTokenOwner } from '../../src/store/accounts/task-tokens.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { OauthUnderTest } from '../support/oauth/oauth-under-test.ts';

const origin = 'https://app.example.com';

describeStores('a task token', (store) => {
  const bearer = (token: unknown) => ({ key: null, headers: { authorization: `Bearer ${String(token)}` } });
  const make = async (api: ApiUnderTest, taskId: string, can: string[] = ['read', 'stream', 'answer'], expiresIn = 600) => {
    const { status, body } = await api.call('task.token', { task_id: taskId, expires_in: expiresIn, can });
    expect(status).toBe(200);
    return String(body.token);
  };

  it('reads, streams, and answers its task by what it can, from a page of an allowed origin', async () => {
    await using api = await ApiUnderTest.start(store.database, { settings: { corsOrigins: [origin] } });
    const taskId = await api.createTask();
    const inputs: Record<string, Json> = {
      'task.detail': { task_id: taskId },
      'task.listMessages': { task_id: taskId },
      'task.stream': { task_id: taskId },
      'task.sendMessage': { task_id: taskId, message: { content: 'an answer' } },
    };
    const rights = { read: ['task.detail', 'task.listMessages'], stream: ['task.stream'], answer: ['task.sendMessage'] };
    for (const [right, names] of Object.entries(rights)) {
      const token = await make(api, taskId, [right]);
      expect(token).toMatch(/^et_[\w-]+\.[\w-]+$/);
      for (const [name, input] of Object.entries(inputs)) {
        const isRead = name !== 'task.sendMessage';
        const path = `/v2/${name}${isRead ? `?task_id=${taskId}` : ''}`;
        const init = isRead ? {} : { method: 'POST', body: JSON.stringify(input) };
        const headers = { authorization: `Bearer ${token}`, origin, 'content-type': 'application/json' };
        const response = await api.fetch(path, init, { key: null, headers });
        expect([right, name, response.status]).toEqual([right, name, names.includes(name) ? 200 : 403]);
        expect(response.headers.get('access-control-allow-origin')).toBe(origin);
        await response.body?.cancel();
      }
    }
  });

  it('opens no other task, like an unknown one, and no other operation', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [taskId, other] = [await api.createTask(), await api.createTask()];
    const token = await make(api, taskId);
    const { accountId } = api.owner;
    for (const id of [other, 'unknown', 'agent-default-main_task', `${taskId}x`, accountId]) {
      const { status, body } = await api.call('task.detail', { task_id: id }, bearer(token));
      expect([id, status, body.error]).toEqual([id, 404, { code: 'not_found', message: 'task not found' }]);
      expect((await api.call('task.sendMessage', { task_id: id, message: { content: 'x' } }, bearer(token))).status).toBe(404);
    }
    const open = new Set(['task.detail', 'task.listMessages', 'task.stream', 'task.sendMessage']);
    for (const { name, path, method } of operations.filter((row) => !open.has(row.name))) {
      const init = method === 'GET' ? {} : { method, body: '{}', headers: { 'content-type': 'application/json' } };
      const query = method === 'GET' ? `?task_id=${taskId}` : '';
      expect([name, (await api.fetch(path + query, init, bearer(token))).status]).toEqual([name, 403]);
    }
    // The first version knows no tokens.
    expect((await api.fetch(`/v1/tasks/${taskId}`, {}, bearer(token))).status).toBe(401);
    expect((await api.fetch('/mcp', { method: 'POST' }, bearer(token))).status).toBe(403);
  });

  it('answers with text and nothing else', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const token = await make(api, taskId, ['answer']);
    const send = async (input: Json) =>
      (await api.call('task.sendMessage', { task_id: taskId, ...input }, bearer(token))).body.error;
    const refused: [Json, string][] = [
      [{ message: { content: 'x', connectors: ['c'] } }, 'message.connectors'],
      [{ message: { content: 'x', instructions: 'obey' } }, 'message.instructions'],
      [{ message: { content: 'x', task_references: [taskId] } }, 'message.task_references'],
      [{ message: { content: 'x' }, agent_profile: 'service-1.6-max' }, 'agent_profile'],
      [{ message: { content: 'x' }, clear_connectors: true }, 'clear_connectors'],
      [{ message: { content: [{ type: 'file', file_id: 'file-x' }] } }, 'message.content'],
    ];
    for (const [input, param] of refused) expect(await send(input)).toMatchObject({ code: 'permission_denied', param });
  });

  it('ends on time, and with the task, the key, and the account', async () => {
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(store.database, { clock });
    const taskId = await api.createTask();
    const ask = async (token: string) => (await api.call('task.detail', { task_id: taskId }, bearer(token))).status;
    const [short, long] = [await make(api, taskId, ['read'], 60), await make(api, taskId, ['read'], 3600)];
    expect([await ask(short), await ask(long)]).toEqual([200, 200]);
    await clock.advance(60_000);
    expect([await ask(short), await ask(long)]).toEqual([401, 200]);
    const { accountId, keyId } = api.owner;
    const change = {
      accountId,
      plan: undefined,
      maxBytes: undefined,
      maxFiles: undefined,
      isInstanceOwner: undefined,
      actor: 'operator',
      now: clock.now(),
    };
    await store.database.run(updateManagedAccount, { ...change, status: 'disabled' });
    expect(await ask(long)).toBe(403);
    await store.database.run(updateManagedAccount, { ...change, status: 'active' });
    expect(await ask(long)).toBe(200);
    await store.database.run(revokeApiKey, { accountId, keyId, now: clock.now() });
    expect(await ask(long)).toBe(401);
    const parent = { kind: 'operator' as const, id: '' };
    expect(await store.database.run(findTaskTokenOwner, { accountId, taskId, parent, now: clock.now() })).not.toBeNull();
    await store.query('DELETE FROM tasks WHERE id = ?', taskId);
    expect(await store.database.run(findTaskTokenOwner, { accountId, taskId, parent, now: clock.now() })).toBeNull();
  });

  it('ends with the session or the grant that made it, also when that has only expired', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const { accountId } = api.owner;
    await store.query(
      "INSERT INTO sessions (account_id, id, digest, created_at, expires_at) VALUES (?, 's1', 'd', 1, 1000)",
      accountId,
    );
    await store.query(
      `INSERT INTO oauth_grants (account_id, id, client_id, scopes, app_revision, created_at, expires_at)
       VALUES (?, 'g1', 'c', '', 1, 1, 1000)`,
      accountId,
    );
    for (const parent of [{ kind: 'session', id: 's1' } as const, { kind: 'oauth', id: 'g1' } as const]) {
      const find = (now: number) => store.database.run(findTaskTokenOwner, { accountId, taskId, parent, now });
      expect([parent.kind, await find(999), await find(1000)]).toEqual([parent.kind, expect.anything(), null]);
    }
  });

  it('cannot be forged, altered, or used as another kind of credential', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const token = await make(api, taskId, ['read']);
    const [body = '', mac = ''] = token.slice(3).split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as unknown[];
    const forge = (change: (copy: unknown[]) => void) => {
      const copy = [...claims];
      change(copy);
      return `et_${Buffer.from(JSON.stringify(copy)).toString('base64url')}.${mac}`;
    };
    const wrong = [
      forge((copy) => (copy[3] = 'read,stream,answer')),
      forge((copy) => (copy[0] = 9_999_999_999)),
      `et_${body}`,
      `et_${body}.${mac}x`,
      `et_${body}.`,
      'et_',
      'et_e30.e30',
      `${body}.${mac}`,
    ];
    for (const each of wrong) {
      const { status } = await api.call('task.detail', { task_id: taskId }, bearer(each));
      expect([each, status]).toEqual([each, 401]);
    }
    expect((await api.call('task.detail', { task_id: taskId }, { key: token })).status).toBe(401);
  });

  it('is made by who may manage the task, within the limits', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const { api } = oauth;
    const taskId = await api.createTask();
    const input = { task_id: taskId, expires_in: 60, can: ['read'] };
    const refuse = async (change: Json) => (await api.call('task.token', { ...input, ...change })).body.error;
    expect(await refuse({ expires_in: 3601 })).toMatchObject({ code: 'invalid_argument', param: 'expires_in' });
    expect(await refuse({ expires_in: 0 })).toMatchObject({ param: 'expires_in' });
    expect(await refuse({ can: [] })).toMatchObject({ param: 'can' });
    expect(await refuse({ can: ['delete'] })).toMatchObject({ code: 'invalid_argument' });
    const stranger = await addOwner(store.database);
    expect((await api.call('task.token', input, { key: stranger.key })).status).toBe(404);
    const made = await api.call('task.token', input);
    expect(Number(made.body.expires_at) * 1000 - Date.now()).toBeGreaterThan(30_000);
    expect((await api.call('task.token', input, bearer(made.body.token))).status).toBe(403);
    const tokens = await oauth.connect(await oauth.addApp({ scopes: ['create_task'] }));
    expect((await oauth.call(tokens.access_token, 'task.token', input)).status).toBe(403);
  });
});
