import { describe, expect, it } from 'vitest';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someNumber } from '../support/http/matchers.ts';
import { memoryLimits } from '../../src/rules/memory/memory-scope.ts';

const account = { scope: 'account' };

describeStores('the memory of an account', (store) => {
  const paths = ({ body }: { body: { data: Json[] } }) => body.data.map(({ path }) => path);

  it('keeps each version of a file with its author', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const first = await api.call('memory.write', { ...account, path: 'people/ada.md', content: 'Ada likes é.' });
    const author = `api_key:${api.owner.keyId}`;
    const file = {
      path: 'people/ada.md',
      bytes: 13,
      version: 1,
      updated_at: someNumber,
      author,
      is_tainted: false,
      is_private: false,
    };
    expect([first.status, first.body.memory]).toEqual([200, file]);
    expect(first.body.ok).toBe(true);
    await api.call('memory.write', { ...account, path: 'people/ada.md', content: 'Ada.' });
    const key = { ...account, path: 'people/ada.md' };
    expect((await api.call('memory.read', key)).body.memory).toEqual({ ...file, bytes: 4, version: 2, content: 'Ada.' });
    expect((await api.call('memory.read', { ...key, version: 1 })).body.memory).toEqual({ ...file, content: 'Ada likes é.' });
    expect((await api.call('memory.versions', key)).body).toMatchObject({
      data: [
        { version: 2, bytes: 4, is_deletion: false },
        { version: 1, bytes: 13, is_deletion: false },
      ],
      has_more: false,
    });
    expect((await api.call('memory.list', account)).body).toMatchObject({
      data: [{ path: 'people/ada.md', version: 2 }],
      has_more: false,
    });
  });

  it('refuses a write by somebody who has not read the current version', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const key = { ...account, path: 'a.md' };
    const write = (content: string, version?: number) => api.call('memory.write', { ...key, content, if_version: version });
    expect((await write('one', 1)).status).toBe(409);
    expect((await write('one', 0)).status).toBe(200);
    expect((await write('again', 0)).body.error).toMatchObject({ code: 'conflict', param: 'if_version' });
    expect((await write('two', 1)).status).toBe(200);
    expect((await write('late', 1)).status).toBe(409);
    expect((await api.call('memory.delete', { ...key, if_version: 1 })).status).toBe(409);
    expect((await api.call('memory.delete', { ...key, if_version: 2 })).body).toMatchObject({ path: 'a.md', version: 3 });
    expect((await write('late', 2)).status).toBe(409);
    expect((await write('new', 0)).body.memory).toMatchObject({ version: 4 });
  });

  it('lets exactly one of many simultaneous writers win', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (let round = 0; round < 10; round += 1) {
      const write = { ...account, path: 'race.md', if_version: round };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => api.call('memory.write', { ...write, content: `${round} ${index}` })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(409)]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const { body } = await api.call('memory.read', { ...account, path: 'race.md' });
      expect(body.memory).toMatchObject({ version: round + 1, content: `${round} ${winner}` });
    }
  });

  it('is restored to a moment: changed files, deleted ones, and new ones', async () => {
    const clock = new TestClock();
    await using api = await ApiUnderTest.start(store.database, { clock });
    const write = (path: string, content: string) => api.call('memory.write', { ...account, path, content });
    await write('changed.md', 'before');
    await write('gone.md', 'before');
    await write('same.md', 'same');
    await write('folder', 'a file then');
    const at = Math.floor(clock.now() / 1000);
    await clock.advance(2000);
    await write('changed.md', 'after');
    await api.call('memory.delete', { ...account, path: 'gone.md' });
    await write('new.md', 'after');
    await api.call('memory.delete', { ...account, path: 'folder' });
    await write('folder/inside.md', 'after');
    await clock.advance(2000);
    const restored = await api.call('memory.restore', { ...account, at });
    expect(restored.body.restored).toEqual(['changed.md', 'folder', 'folder/inside.md', 'gone.md', 'new.md']);
    expect(paths(await api.call('memory.list', account))).toEqual(['changed.md', 'folder', 'gone.md', 'same.md']);
    expect((await api.call('memory.read', { ...account, path: 'changed.md' })).body.memory).toMatchObject({
      content: 'before',
      version: 3,
    });
    expect((await api.call('memory.restore', { ...account, at })).body.restored).toEqual([]);
    // A restoration is undone by another.
    expect((await api.call('memory.restore', { ...account, at: at + 2 })).body.restored).toHaveLength(5);
    expect(paths(await api.call('memory.list', account))).toEqual(['changed.md', 'folder/inside.md', 'new.md', 'same.md']);
  });

  it('keeps the mark of a file when a person corrects it, until they lift it', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const write = async (mark?: boolean) =>
      (await api.call('memory.write', { ...account, path: 'a.md', content: 'x', is_tainted: mark })).body.memory;
    expect(await write(true)).toMatchObject({ is_tainted: true });
    expect(await write()).toMatchObject({ is_tainted: true });
    expect(await write(false)).toMatchObject({ is_tainted: false });
    expect(await write()).toMatchObject({ is_tainted: false });
  });

  it('is listed page by page', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (const path of ['b/1.md', 'ü.md', 'a.md']) await api.call('memory.write', { ...account, path, content: 'x' });
    const first = await api.call('memory.list', { ...account, limit: 2 });
    expect([paths(first), first.body.has_more]).toEqual([['a.md', 'b/1.md'], true]);
    const second = await api.call('memory.list', { ...account, limit: 2, cursor: first.body.next_cursor });
    expect([paths(second), second.body.has_more]).toEqual([['ü.md'], false]);
    await api.call('memory.write', { ...account, path: 'a.md', content: 'y' });
    const versions = await api.call('memory.versions', { ...account, path: 'a.md', limit: 1 });
    expect(versions.body).toMatchObject({ data: [{ version: 2 }], has_more: true });
    const rest = { ...account, path: 'a.md', limit: 1, cursor: versions.body.next_cursor };
    expect((await api.call('memory.versions', rest)).body).toMatchObject({ data: [{ version: 1 }], has_more: false });
  });

  it('is separate from that of projects, agents, and other accounts', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const { id } = (await api.call('project.create', { name: 'P' })).body.project as Json;
    for (const place of [account, { scope: 'project', id }, { scope: 'agent', id: 'agent-default' }]) {
      const written = await api.call('memory.write', { ...place, path: 'a.md', content: place.scope });
      expect([written.status, written.body.memory]).toEqual([200, expect.objectContaining({ version: 1 })]);
      expect((await api.call('memory.read', { ...place, path: 'a.md' })).body.memory).toMatchObject({ content: place.scope });
    }
    const foreign = { key: stranger.key };
    expect((await api.call('memory.read', { ...account, path: 'a.md' }, foreign)).status).toBe(404);
    expect(paths(await api.call('memory.list', account, foreign))).toEqual([]);
    const missing = await api.call('memory.list', { scope: 'project', id: 'A'.repeat(22) });
    for (const name of ['memory.list', 'memory.versions', 'memory.read', 'memory.write', 'memory.delete', 'memory.restore']) {
      const input = { scope: 'project', id, path: 'a.md', content: 'x', at: 1 };
      const answer = await api.call(name, input, foreign);
      expect([name, answer.status, answer.body.error]).toEqual([name, 404, missing.body.error]);
    }
  });

  describe('refuses', () => {
    it.each([
      ['memory.list', {}, 'scope'],
      ['memory.list', { scope: 'team' }, 'scope'],
      ['memory.list', { scope: 'project' }, 'id'],
      ['memory.list', { scope: 'agent' }, 'id'],
      ['memory.list', { ...account, limit: 0 }, 'limit'],
      ['memory.list', { ...account, cursor: 'x' }, 'cursor'],
      ['memory.read', account, 'path'],
      ['memory.write', { ...account, path: '../a', content: 'x' }, 'path'],
      ['memory.write', { ...account, path: '/etc/passwd', content: 'x' }, 'path'],
      ['memory.write', { ...account, path: 'a' }, 'content'],
      ['memory.write', { ...account, path: 'a', content: 7 }, 'content'],
      ['memory.write', { ...account, path: 'a', content: 'a\0b' }, 'content'],
      ['memory.write', { ...account, path: 'a', content: 'x', if_version: -1 }, 'if_version'],
      ['memory.restore', account, 'at'],
      ['memory.restore', { ...account, at: 'yesterday' }, 'at'],
    ])('%s %j', async (name, input, field) => {
      await using api = await ApiUnderTest.start(store.database);
      const answer = await api.call(name, input);
      expect([answer.status, answer.body.error]).toEqual([
        400,
        { code: 'invalid_argument', message: expect.any(String) as string, param: field },
      ]);
    });

    it('a file that is too large', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const write = (length: number) => api.call('memory.write', { ...account, path: 'a', content: 'é'.repeat(length) });
      expect((await write(memoryLimits.fileBytes / 2)).status).toBe(200);
      expect((await write(memoryLimits.fileBytes / 2 + 1)).body.error).toMatchObject({
        code: 'invalid_argument',
        param: 'content',
      });
    });

    it('a file below another file, and a file in place of a folder', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const write = (path: string) => api.call('memory.write', { ...account, path, content: 'x' });
      await write('a/b.md');
      expect((await write('a/b.md/c')).body.error).toMatchObject({
        param: 'path',
        message: 'path: "a/b.md" is a file, not a folder',
      });
      expect((await write('a')).body.error).toMatchObject({ param: 'path', message: 'path: is a folder' });
      expect((await write('a.b')).status).toBe(200);
    });

    it('more files and bytes than a memory may have, without a trace', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const content = 'x'.repeat(memoryLimits.fileBytes);
      const full = memoryLimits.storeBytes / memoryLimits.fileBytes;
      for (let index = 0; index < full; index += 1) await api.call('memory.write', { ...account, path: `${index}`, content });
      expect((await api.call('memory.write', { ...account, path: 'more', content: 'x' })).body.error).toMatchObject({
        code: 'resource_exhausted',
      });
      expect(paths(await api.call('memory.list', account))).toHaveLength(full);
      expect((await api.call('memory.write', { ...account, path: '0', content: '' })).status).toBe(200);
      expect((await api.call('memory.write', { ...account, path: 'more', content: 'x' })).status).toBe(200);
    });
  });

  it('forgets its oldest versions, and says from when on it can be restored', async () => {
    const clock = new TestClock();
    await using api = await ApiUnderTest.start(store.database, { clock });
    const before = Math.floor(clock.now() / 1000);
    await api.call('memory.write', { ...account, path: 'deleted', content: 'x' });
    await api.call('memory.delete', { ...account, path: 'deleted' });
    const content = 'x'.repeat(memoryLimits.fileBytes);
    const enough = memoryLimits.historyBytes / memoryLimits.fileBytes + 2;
    for (let index = 0; index < enough; index += 1) {
      await clock.advance(1000);
      await api.call('memory.write', { ...account, path: 'a', content: `${index}${content}`.slice(0, memoryLimits.fileBytes) });
    }
    const { body } = await api.call('memory.versions', { ...account, path: 'a', limit: 100 });
    expect(body.data.length).toBeLessThan(enough);
    expect(body.data[0]).toMatchObject({ version: enough });
    expect((await api.call('memory.versions', { ...account, path: 'deleted' })).status).toBe(404);
    const refused = await api.call('memory.restore', { ...account, at: before });
    expect([refused.status, refused.body.error.code]).toEqual([412, 'failed_precondition']);
    const [oldest = 0] = /\d+(?=\.$)/.exec(String(refused.body.error.message)) ?? [];
    expect((await api.call('memory.restore', { ...account, at: Number(oldest) })).status).toBe(200);
    const [stored] = await store.query('SELECT files, bytes, history_bytes FROM memory_stores');
    const [counted] = await store.query(
      `SELECT COUNT(*) AS files, SUM(f.bytes) AS bytes, (SELECT SUM(v.bytes + 256) FROM memory_versions v
         WHERE NOT EXISTS (SELECT 1 FROM memory_files c WHERE c.path = v.path AND c.version = v.version AND c.is_deleted = 0)) AS history_bytes
       FROM memory_files f WHERE is_deleted = 0`,
    );
    const numbers = (row?: Record<string, unknown>) => Object.values(row ?? {}).map(Number);
    expect(numbers(stored)).toEqual(numbers(counted));
  });
});
