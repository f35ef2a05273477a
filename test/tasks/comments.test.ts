import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { removeMember } from '../../src/store/accounts/team-membership.ts';
import { addComment } from '../../src/store/tasks/people/comments.ts';
import { makeTeam } from '../support/accounts/team-sample.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { AgentUnderTest, inTurn, say } from '../support/tasks/agent-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const canary = 'canary-of-a-comment';

describeStores('comments on tasks', (store) => {
  /** A team of three, and a stranger in a team of its own. */
  async function start() {
    const api = await ApiUnderTest.start(store.database);
    const people = await Promise.all(Array.from({ length: 4 }, () => addOwner(store.database)));
    const [ann, bob, stranger, other] = people as [Owner, Owner, Owner, Owner];
    const teamId = await makeTeam(store, api.owner, [ann, bob]);
    await makeTeam(store, stranger, [other]);
    const as = async ({ key }: Owner, name: string, input: Json = {}) => api.call(name, input, { key });
    const list = async (who: Owner, taskId: string) => (await as(who, 'task.listComments', { task_id: taskId })).body.data;
    return { api, ann, bob, stranger, teamId, as, list };
  }

  const emailOf = ({ accountId }: Owner) => `${accountId}@example.com`.toLowerCase();

  it('are written, changed, and deleted by who may read the task, each their own', async () => {
    const { api, ann, bob, stranger, as, list } = await start();
    await using _ = api;
    const { owner } = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team' });
    const write = async (who: Owner, text: string) => as(who, 'task.comment', { task_id: taskId, text });
    const first = await write(owner, ' Please read it. ');
    expect([first.status, first.body.comment]).toEqual([
      200,
      {
        ...{ id: expect.any(String) as unknown, task_id: taskId, text: 'Please read it.' },
        ...{ user_id: owner.accountId, email: emailOf(owner), created_at: expect.any(Number) as unknown },
      },
    ]);
    const commentId = String(((await write(ann, 'I have.')).body.comment as Json).id);
    await write(bob, '<img src=x onerror=alert(1)>');
    expect((await write(stranger, 'Me too.')).status).toBe(404);
    expect((await list(bob, taskId)).map(({ text, email }) => [text, email])).toEqual([
      ['<img src=x onerror=alert(1)>', emailOf(bob)],
      ['I have.', emailOf(ann)],
      ['Please read it.', emailOf(owner)],
    ]);
    expect((await as(stranger, 'task.listComments', { task_id: taskId })).status).toBe(404);

    const change = (who: Owner, text: string, id = commentId) =>
      as(who, 'task.updateComment', { task_id: taskId, comment_id: id, text });
    const refused = [
      await change(owner, 'x'),
      await change(bob, 'x'),
      await change(stranger, 'x'),
      await change(ann, 'x', newId(1)),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
    expect((await change(ann, 'I have read it.')).body.comment).toMatchObject({
      ...{ id: commentId, text: 'I have read it.', edited_at: expect.any(Number) as unknown },
    });

    const remove = async (who: Owner, id = commentId) =>
      (await as(who, 'task.deleteComment', { task_id: taskId, comment_id: id })).status;
    expect([await remove(bob), await remove(stranger), await remove(ann), await remove(ann)]).toEqual([403, 404, 200, 404]);
    const ofBob = String((await list(owner, taskId))[0]?.id);
    expect(await remove(owner, ofBob)).toBe(200);
    expect((await list(ann, taskId)).map(({ text }) => text)).toEqual(['Please read it.']);

    // Another task of the same people: its comments are its own.
    const another = await api.createTask('Another', { share_visibility: 'team' });
    const id = (await list(owner, taskId))[0]?.id;
    expect((await as(owner, 'task.deleteComment', { task_id: another, comment_id: id })).status).toBe(404);
    await api.call('task.update', { task_id: taskId, share_visibility: 'private' });
    expect([(await write(ann, 'x')).status, (await as(ann, 'task.listComments', { task_id: taskId })).status]).toEqual([
      404, 404,
    ]);
    expect(await list(owner, taskId)).toHaveLength(1);
  });

  it('are about the task or one of its messages, and bounded in length and number', async () => {
    const { api, as, list } = await start();
    await using _ = api;
    const { owner } = api;
    const taskId = await api.createTask('Write a poem');
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.log({ type: 'explained', text: 'why' });
    await hand.finish('Roses are red.');
    const { messages } = (await api.call('task.listMessages', { task_id: taskId, verbose: 'true' })).body;
    const idOf = (type: string) => String(messages.find((event) => event.type === type)?.id);
    const write = (input: Json) => as(owner, 'task.comment', { task_id: taskId, text: 'Hm.', ...input });
    for (const type of ['assistant_message', 'user_message'])
      expect((await write({ event_id: idOf(type) })).body.comment).toMatchObject({ event_id: idOf(type) });
    const wrong = await Promise.all([
      write({ event_id: idOf('explanation') }),
      write({ event_id: 'x' }),
      write({ text: '' }),
      write({ text: ' \n ' }),
      write({ text: '🙂'.repeat(4001) }),
    ]);
    expect(wrong.map(({ status, body }) => [status, body.error.param])).toEqual([
      [400, 'event_id'],
      [400, 'event_id'],
      [400, 'text'],
      [400, 'text'],
      [400, 'text'],
    ]);
    expect((await write({ text: '🙂'.repeat(4000) })).status).toBe(200);
    expect((await write({ text: 'nul \0 and half \ud83d' })).body.comment).toMatchObject({ text: 'nul \ufffd and half \ufffd' });

    const rows = Array.from({ length: 1000 - 4 }, () => newId(Date.now()));
    for (const id of rows)
      await store.query(
        "INSERT INTO comments (account_id, task_id, id, author_id, text, created_at) VALUES (?, ?, ?, ?, 'x', 1)",
        ...[owner.accountId, taskId, id, owner.accountId],
      );
    const full = await write({});
    expect([full.status, full.body.error.code]).toEqual([429, 'resource_exhausted']);
    const page = (await as(owner, 'task.listComments', { task_id: taskId, limit: 100 })).body;
    expect([page.data.length, page.has_more]).toEqual([100, true]);
    const next = (await as(owner, 'task.listComments', { task_id: taskId, limit: 100, cursor: page.next_cursor })).body;
    expect(new Set([...page.data, ...next.data].map(({ id }) => id)).size).toBe(200);

    await api.call('task.delete', { task_id: taskId });
    expect(await store.query('SELECT id FROM comments WHERE task_id = ?', taskId)).toEqual([]);
    expect((await as(owner, 'task.listComments', { task_id: taskId })).status).toBe(404);
    expect(await list(owner, await api.createTask('New'))).toEqual([]);
  });

  it('of one member leave space for those of the others', async () => {
    const { api, ann, bob, as } = await start();
    await using _ = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team' });
    for (let count = 0; count < 200; count++)
      await store.query(
        "INSERT INTO comments (account_id, task_id, id, author_id, text, created_at) VALUES (?, ?, ?, ?, 'x', 1)",
        ...[api.owner.accountId, taskId, newId(Date.now()), ann.accountId],
      );
    const write = async (who: Owner) => (await as(who, 'task.comment', { task_id: taskId, text: 'Hm.' })).status;
    expect([await write(ann), await write(bob), await write(api.owner)]).toEqual([429, 200, 200]);
  });

  it('are in nothing that the task itself shows: its object, messages, stream, and public page', async () => {
    const { api, ann, as } = await start();
    await using _ = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team' });
    await (await WorkerHand.take(store.database, taskId)).finish('Done.');
    await as(ann, 'task.comment', { task_id: taskId, text: canary });
    const shared = await api.call('task.update', { task_id: taskId, share_visibility: 'public' });
    const shareId = String(shared.body.share_url).split('/').at(-1) ?? '';
    const read = async (path: string, key: string | null) => (await api.fetch(path, {}, { key })).text();
    const seen = [
      await read(`/v2/task.detail?task_id=${taskId}`, api.owner.key),
      await read('/v2/task.list', api.owner.key),
      await read(`/v2/task.listMessages?task_id=${taskId}&verbose=true`, api.owner.key),
      await read(`/web/share.detail?share_id=${shareId}`, null),
      await read(`/web/share.listMessages?share_id=${shareId}&order=asc`, null),
    ];
    for (const text of seen) {
      expect(text).toContain('"ok":true');
      expect(text).not.toContain(canary);
    }
    const logged = await store.query('SELECT body FROM events WHERE task_id = ?', taskId);
    expect(JSON.stringify(logged)).not.toContain(canary);
    expect(await store.query('SELECT id FROM deliveries')).toEqual([]);
  });

  it('name nobody who has left the team, and go with the account of their author', async () => {
    const { api, ann, teamId, as, list } = await start();
    await using _ = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team' });
    await as(ann, 'task.comment', { task_id: taskId, text: 'Mine.' });
    const change = { teamId, actorId: api.owner.accountId, actor: 'operator', now: Date.now() };
    await store.database.run(removeMember, { ...change, accountId: ann.accountId });
    const [left] = await list(api.owner, taskId);
    expect([left?.text, left?.user_id, left?.email]).toEqual(['Mine.', ann.accountId, undefined]);
    expect((await as(ann, 'task.listComments', { task_id: taskId })).status).toBe(404);
  });
});

it('a comment is in no request to the model', async () => {
  const agent = await new AgentUnderTest({ script: inTurn(say('One.'), say('Two.')) }).create();
  await agent.drive();
  const { accountId } = agent.task;
  const comment = { commentId: newId(Date.now()), authorId: accountId, text: canary, seq: null, now: agent.clock.now() };
  await agent.database.run(addComment, { ...agent.task, ...comment });
  await agent.say('Go on.');
  await agent.drive();
  expect(agent.model.requests).toHaveLength(2);
  expect(JSON.stringify(agent.model.requests)).toContain('Go on.');
  expect(JSON.stringify(agent.model.requests)).not.toContain(canary);
});
