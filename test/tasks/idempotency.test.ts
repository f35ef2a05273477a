import { expect, it } from 'vitest';
import { invalidArgument } from '../support/http/matchers.ts';
import { idempotencyTtlMs } from '../../src/store/db/idempotency-keys.ts';
import { describeStores } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

function withKey(key: string) {
  return { headers: { 'idempotency-key': key } };
}

function withoutId(body: Json): Json {
  return { ...body, request_id: null };
}

describeStores('an Idempotency-Key', (store) => {
  const input = { message: { content: 'once' }, share_visibility: 'public' };

  it('creates one task for 50 concurrent posts to any process', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await using other = await ApiUnderTest.start(store.others[0] ?? store.database, { owner: api.owner });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? api : other).call('task.create', input, withKey('k1'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    // Each process reports its own address, so only stored values are compared between them.
    const created = new Set(answers.map(({ body }) => `${body.task_id as string} ${(body.share_url as string).slice(-22)}`));
    expect(created.size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
    expect((await api.call('task.list')).body.data).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.request_id)).size).toBe(50);
  });

  it('replays the first response even if the task has changed or was deleted', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const first = await api.call('task.create', input, withKey('k'));
    await api.call('task.update', { task_id: first.body.task_id, title: 'Other' });
    const second = await api.call('task.create', input, withKey('k'));
    expect(withoutId(second.body)).toEqual(withoutId(first.body));
    await api.call('task.delete', { task_id: first.body.task_id });
    const third = await api.call('task.create', input, withKey('k'));
    expect(withoutId(third.body)).toEqual(withoutId(first.body));
  });

  it('is rejected with another body or for another operation', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { body } = await api.call('task.create', input, withKey('k'));
    const used = 'Idempotency-Key: already used with another request; use a new key for a new request.';
    for (const [name, other] of [
      ['task.create', { message: { content: 'twice' } }],
      ['task.stop', { task_id: body.task_id }],
    ] as const) {
      const answer = await api.call(name, other, withKey('k'));
      expect([answer.status, answer.body.error]).toEqual([400, invalidArgument(used)]);
    }
  });

  it('performs every kind of write once', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask();
    const message = { task_id: taskId, message: { content: 'again' } };
    for (let round = 0; round < 3; round++) {
      expect((await api.call('task.sendMessage', message, withKey('message'))).body).toMatchObject({ ok: true, task_id: taskId });
      expect((await api.call('task.stop', { task_id: taskId }, withKey('stop'))).status).toBe(200);
    }
    const { body } = await api.call('task.listMessages', { task_id: taskId, order: 'asc' });
    const types = body.messages.map(({ type }) => type);
    expect(types).toEqual(['user_message', 'status_update', 'user_message', 'user_stop', 'status_update']);
    for (let round = 0; round < 3; round++) {
      const deleted = await api.call('task.delete', { task_id: taskId }, withKey('delete'));
      expect(deleted.body).toMatchObject({ id: taskId, deleted: true });
    }
  });

  it('is not consumed by a rejected request', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const refused = await api.call('task.stop', { task_id: 'A'.repeat(22) }, withKey('k'));
    expect(refused.status).toBe(404);
    expect((await api.call('task.create', { message: { content: '' } }, withKey('k'))).status).toBe(400);
    const created = await api.call('task.create', input, withKey('k'));
    expect([created.status, created.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('belongs to its account', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const mine = await api.call('task.create', input, withKey('k'));
    const theirs = await api.call('task.create', input, { ...withKey('k'), key: stranger.key });
    expect(theirs.status).toBe(200);
    expect(theirs.body.task_id).not.toBe(mine.body.task_id);
  });

  it('expires after a day', async () => {
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(store.database, { clock });
    const idAfter = async (ms: number) => {
      clock.jump(ms);
      return (await api.call('task.create', input, withKey('k'))).body.task_id;
    };
    const first = await idAfter(0);
    expect(await idAfter(idempotencyTtlMs - 1000)).toBe(first);
    expect(await idAfter(1000)).not.toBe(first);
  });
});
