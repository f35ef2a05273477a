import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { invalidArgument } from '../support/http/matchers.ts';
import { createLog } from '@errand/base/log.ts';
import { describeStores } from '../support/db/databases.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { ask } from '../support/http/raw-socket.ts';

describeStores('the control face', (store) => {
  it('acts for the given account, by default the first, and names no key as the creator of a task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const second = await addOwner(store.database);
    const create = (account: string | null) =>
      api.http.inject({ method: 'POST', path: '/v2/task.create', body: { message: { content: 'x' } }, account });
    const mine = await create(null);
    const theirs = await create(second.accountId);
    const byEmail = await create(`${second.accountId}@EXAMPLE.com`);
    expect([mine.status, theirs.status, byEmail.status]).toEqual([200, 200, 200]);
    expect((await api.call('task.list')).body.data.map(({ id, created_by_api_key: key }) => [id, key])).toEqual([
      [mine.body.task_id, null],
    ]);
    expect((await api.call('task.list', {}, { key: second.key })).body.data).toHaveLength(2);
    expect((await create('nobody@example.com')).body).toMatchObject({
      error: { code: 'not_found', message: 'account not found' },
    });
  });

  it('creates accounts and keys whose secrets work and are shown once', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const created = await api.http.inject({
      method: 'POST',
      path: '/admin/account.create',
      body: { email: 'Ann@Example.com', plan: 'free' },
    });
    expect(created.body).toMatchObject({ ok: true, email: 'ann@example.com', plan: 'free' });
    const { account_id: account, api_key: key } = created.body as { account_id: string; api_key: string };
    expect((await api.call('task.list', {}, { key })).status).toBe(200);
    const more = await api.http.inject({ method: 'POST', path: '/admin/key.create', body: { name: 'CI' }, account });
    expect((await api.call('task.list', {}, { key: more.body.api_key as string })).status).toBe(200);
    const list = await api.http.inject({ method: 'GET', path: '/admin/key.list', account });
    expect(JSON.stringify(list.body)).not.toContain((more.body.api_key as string).slice(3));
    expect((list.body.data as { name: string }[]).map(({ name }) => name)).toEqual(['first key', 'CI']);
    const [first] = list.body.data as { id: string }[];
    const revoked = await api.http.inject({ method: 'POST', path: '/admin/key.revoke', body: { key_id: first?.id }, account });
    expect(revoked.body).toMatchObject({ ok: true, key_id: first?.id, revoked: true });
    expect((await api.call('task.list', {}, { key })).status).toBe(401);
    const again = await api.http.inject({ method: 'POST', path: '/admin/key.revoke', body: { key_id: first?.id }, account });
    expect(again.status).toBe(404);
  });

  it.each([
    ['account.create', { email: 'nobody' }, 'email: must be an e-mail address'],
    ['account.create', { email: 'a b@c' }, 'email: must be an e-mail address'],
    ['account.create', { email: 'a@b', plan: 'gold' }, 'plan: must be one of "free", "pro", "team"'],
    ['account.create', {}, 'email is required'],
    ['key.create', { name: ' ' }, 'name: must not be empty'],
    ['key.create', { name: 'x'.repeat(101) }, 'name: must have at most 100 characters'],
  ])('refuses %s with %j', async (name, body, message) => {
    await using api = await ApiUnderTest.start(store.database);
    const answer = await api.http.inject({ method: 'POST', path: `/admin/${name}`, body });
    expect([answer.status, answer.body.error]).toEqual([400, invalidArgument(message)]);
  });

  it('rejects a duplicate e-mail address', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const create = () => api.http.inject({ method: 'POST', path: '/admin/account.create', body: { email: 'a@b.c' } });
    expect((await create()).status).toBe(200);
    expect((await create()).body.error).toEqual(invalidArgument('email: a@b.c already has an account'));
  });

  it('reads the workspace of a task of the account, and of no other', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask();
    const list = await api.http.inject({ method: 'GET', path: '/admin/workspace.list', query: { task_id } });
    expect(list.body.data).toEqual([{ path: 'hello.md', kind: 'file', bytes: 5 }]);
    const file = await api.http.inject({ method: 'GET', path: '/admin/workspace.read', query: { task_id, path: 'hello.md' } });
    expect(Buffer.from(file.body.content as string, 'base64').toString()).toBe('in hello.md');
    const stranger = await addOwner(store.database);
    const theirs = await api.http.inject({
      method: 'GET',
      path: '/admin/workspace.list',
      query: { task_id },
      account: stranger.accountId,
    });
    expect(theirs.status).toBe(404);
  });

  it('streams in process until the reader ends it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask('hello');
    const { status, stream } = await api.http.injectStream({ method: 'GET', path: '/v2/task.stream', query: { task_id } });
    expect(status).toBe(200);
    let text = '';
    for await (const chunk of stream ?? []) {
      text += String(chunk);
      if (text.includes('"running"')) break;
    }
    expect(text).toContain('"content":"hello"');
    const refused = await api.http.injectStream({ method: 'GET', path: '/v2/task.stream', query: { task_id: 'x' } });
    expect([refused.status, refused.stream, refused.body.ok]).toEqual([404, null, false]);
  });

  it('works before the service listens and after it has stopped', async () => {
    const api = await ApiUnderTest.start(store.database);
    await api.stop();
    expect((await api.http.inject({ method: 'GET', path: '/v2/task.list' })).status).toBe(200);
    await api.stop();
  });

  describe('on its socket', () => {
    it('is accessible to this user only, replaces a stale one, and is removed', async () => {
      const folder = createFolder('control');
      const controlSocket = join(folder, 'control.sock');
      for (let round = 0; round < 2; round++) {
        const api = await ApiUnderTest.start(store.database, { settings: { controlSocket } });
        const { mode } = statSync(controlSocket);
        expect([mode & 0o777, (mode & 0o170000) === 0o140000]).toEqual([0o600, true]);
        expect(readdirSync(folder)).toEqual(['control.sock']);
        const answer = await ask(controlSocket, 'GET /admin/key.list HTTP/1.1\r\nhost: x\r\n\r\n');
        expect([answer.status, answer.body?.ok]).toEqual([200, true]);
        const again = await ApiUnderTest.start(store.database, { settings: { controlSocket } });
        expect((await ask(controlSocket, 'GET /v2/task.list HTTP/1.1\r\nhost: x\r\n\r\n')).status).toBe(200);
        await Promise.all([again.stop(), api.stop()]);
        expect(existsSync(controlSocket)).toBe(false);
      }
      removeFolder(folder);
    });

    it('is omitted, with a warning, if its path is too long for the system', async () => {
      const folder = createFolder('control');
      const deep = join(folder, 'x'.repeat(100));
      mkdirSync(deep);
      const output = new PassThrough();
      const settings = { controlSocket: join(deep, 'control.sock') };
      const api = await ApiUnderTest.start(store.database, { settings, log: createLog('warn', output) });
      expect((await api.call('task.list')).status).toBe(200);
      await api.stop();
      expect(String(output.read())).toContain('no control socket: its path is too long');
      removeFolder(folder);
    });

    it("is the only way to call the operator's operations", async () => {
      await using api = await ApiUnderTest.start(store.database);
      const paths = ['account.create', 'key.create', 'key.list', 'key.revoke', 'workspace.list', 'workspace.read'];
      for (const path of paths) {
        for (const prefix of ['/admin/', '/v2/', '/v2/admin.', '//admin/', '/%61dmin/']) {
          for (const method of ['GET', 'POST']) {
            const response = await api.fetch(prefix + path, { method }, { headers: { 'x-errand-account': api.owner.accountId } });
            expect([prefix + path, response.status]).toEqual([prefix + path, 404]);
          }
        }
      }
    });
  });
});
