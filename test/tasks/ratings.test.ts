import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

describeStores('ratings of answers', (store) => {
  const answer = async (api: ApiUnderTest, more: Json = {}) => {
    const taskId = await api.createTask('Write a poem', more);
    await (await WorkerHand.take(store.database, taskId)).finish('Roses are red.');
    const { body } = await api.call('task.listMessages', { task_id: taskId });
    const said = body.messages.find(({ type }) => type === 'assistant_message') ?? {};
    const asked = body.messages.find(({ type }) => type === 'user_message') ?? {};
    return { taskId, eventId: String(said.id), askedId: String(asked.id) };
  };
  const list = async (api: ApiUnderTest, input: Json = {}, { key }: Owner = api.owner) =>
    (await api.call('task.listRatings', input, { key })).body.data;

  it('are one a person and answer, can be changed and taken back, and go with the task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { taskId, eventId, askedId } = await answer(api, { title: 'Roses' });
    const rate = (input: Json) => api.call('task.rate', { task_id: taskId, event_id: eventId, ...input });
    expect((await rate({ rating: 'up' })).body).toMatchObject({ ok: true, rating: 'up' });
    expect((await rate({ rating: 'down', reason: ' Too short. ' })).status).toBe(200);
    expect(await list(api)).toEqual([
      {
        task_id: taskId,
        task_title: 'Roses',
        event_id: eventId,
        message: 'Roses are red.',
        rating: 'down',
        reason: 'Too short.',
        user_id: api.owner.accountId,
        email: `${api.owner.accountId}@example.com`.toLowerCase(),
        rated_at: expect.any(Number) as unknown,
      },
    ]);
    expect(await list(api, { rating: 'up' })).toEqual([]);
    expect(await list(api, { rating: 'down', task_id: taskId })).toHaveLength(1);
    const wrong = [
      { event_id: askedId, rating: 'up' },
      { event_id: 'x', rating: 'up' },
      { rating: 'up', reason: 'x'.repeat(2001) },
    ];
    const refused = await Promise.all(wrong.map(rate));
    expect(refused.map(({ status, body }) => [status, body.error.param])).toEqual([
      [400, 'event_id'],
      [400, 'event_id'],
      [400, 'reason'],
    ]);
    await rate({ rating: 'none' });
    expect(await list(api)).toEqual([]);
    await rate({ rating: 'up' });
    await api.call('task.delete', { task_id: taskId });
    expect(await list(api)).toEqual([]);
    expect(await store.query('SELECT * FROM ratings WHERE task_id = ?', taskId)).toEqual([]);
  });

  it('are for readers of the task alone, and read by its owner', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [mate, stranger] = [await addOwner(store.database), await addOwner(store.database)];
    await store.query("INSERT INTO teams (team_id, name, created_at) VALUES ('t1', 'Team', 1)");
    for (const { accountId } of [api.owner, mate])
      await store.query(
        "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, 't1', 'member', 1)",
        accountId,
      );
    const shared = await answer(api, { share_visibility: 'team' });
    const own = await answer(api);
    const rate = async ({ taskId, eventId }: { taskId: string; eventId: string }, { key }: Owner, rating: string) =>
      (await api.call('task.rate', { task_id: taskId, event_id: eventId, rating }, { key })).status;
    expect([await rate(shared, mate, 'down'), await rate(shared, api.owner, 'up'), await rate(own, api.owner, 'up')]).toEqual([
      200, 200, 200,
    ]);
    expect([await rate(own, mate, 'up'), await rate(shared, stranger, 'up')]).toEqual([404, 404]);
    expect((await list(api, { task_id: shared.taskId })).map(({ rating }) => rating)).toEqual(['up', 'down']);
    expect(await list(api)).toHaveLength(3);
    expect(await list(api, { task_id: shared.taskId }, mate)).toMatchObject([{ rating: 'down', user_id: mate.accountId }]);
    expect([await list(api, {}, mate), await list(api, {}, stranger)]).toEqual([[], []]);
    expect((await api.call('task.listRatings', { task_id: own.taskId }, { key: mate.key })).status).toBe(404);
    const first = await api.call('task.listRatings', { limit: 2 });
    expect(first.body).toMatchObject({ has_more: true });
    expect(await list(api, { limit: 2, cursor: first.body.next_cursor })).toHaveLength(1);
  });

  it('are of the people of a product, too, who see their own alone', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { taskId, eventId } = await answer(api, { external_user_id: 'alice' });
    const as = (user: string) => ({ headers: { 'errand-user': user } });
    const input = { task_id: taskId, event_id: eventId };
    expect((await api.call('task.rate', { ...input, rating: 'down' }, as('alice'))).status).toBe(200);
    expect((await api.call('task.rate', { ...input, rating: 'up' })).status).toBe(200);
    const { status, body } = await api.call('task.rate', { ...input, rating: 'up' }, as('bob'));
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect(await store.query('SELECT external_user_id, rating FROM ratings WHERE task_id = ? ORDER BY rating', taskId)).toEqual([
      { external_user_id: 'alice', rating: 'down' },
      { external_user_id: '', rating: 'up' },
    ]);
    const seenBy = async (user: string) => (await api.call('task.listRatings', {}, as(user))).body.data;
    const [own, ...others] = await seenBy('alice');
    expect(own).toMatchObject({ external_user_id: 'alice', rating: 'down' });
    expect([own?.email, others, await seenBy('bob')]).toEqual([undefined, [], []]);
    expect((await list(api)).map(({ external_user_id: person }) => person)).toEqual([undefined, 'alice']);
  });
});
