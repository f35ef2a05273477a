import { expect, it } from 'vitest';
import { removeMember } from '../../src/store/accounts/team-membership.ts';
import { makeTeam } from '../support/accounts/team-sample.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { EventReader } from '../support/http/sse-reader.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

describeStores('a task that is handed over', (store) => {
  /** A team of three, and a stranger in a team of its own. */
  async function start() {
    const api = await ApiUnderTest.start(store.database);
    const people = await Promise.all(Array.from({ length: 4 }, () => addOwner(store.database)));
    const [ann, bob, stranger, other] = people as [Owner, Owner, Owner, Owner];
    const teamId = await makeTeam(store, api.owner, [ann, bob]);
    await makeTeam(store, stranger, [other]);
    const as = async ({ key }: Owner, name: string, input: Json = {}) => api.call(name, input, { key });
    const handOver = (who: Owner, taskId: string, to: Owner | null) =>
      as(who, 'task.handOver', { task_id: taskId, account_id: to?.accountId ?? null });
    const assigned = async (who: Owner) => (await as(who, 'task.listAssigned')).body.data;
    const say = async (who: Owner, taskId: string, message: Json = {}, more: Json = {}) =>
      as(who, 'task.sendMessage', { task_id: taskId, message: { content: 'And now?', ...message }, ...more });
    return { api, ann, bob, stranger, teamId, as, handOver, assigned, say };
  }

  const leave = (teamId: string, api: ApiUnderTest, { accountId }: Owner) =>
    store.database.run(removeMember, { teamId, actorId: api.owner.accountId, actor: 'operator', now: Date.now(), accountId });

  it('is acted in by its assignee alone besides its owner, who can take it back', async () => {
    const { api, ann, bob, stranger, as, handOver, assigned, say } = await start();
    await using _ = api;
    const { owner } = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team', interactive_mode: true });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.ask('Which?');
    expect((await say(ann, taskId)).status).toBe(403);
    expect((await handOver(owner, taskId, ann)).body.task).toMatchObject({ id: taskId, assignee: ann.accountId });
    for (const who of [owner, ann, bob])
      expect((await as(who, 'task.detail', { task_id: taskId })).body.task).toMatchObject({ assignee: ann.accountId });
    expect(await assigned(ann)).toMatchObject([{ id: taskId, owner: owner.accountId, created_by_api_key: null }]);
    expect([await assigned(owner), await assigned(bob), await assigned(stranger)]).toEqual([[], [], []]);

    const [item] = (await as(ann, 'inbox.list')).body.data;
    expect(item).toMatchObject({ task_id: taskId, type: 'question', assignee: ann.accountId });
    const decide = async (who: Owner) => (await as(who, 'inbox.decide', { id: item?.id, answer: 'The blue one.' })).status;
    expect([await decide(bob), await decide(stranger), await decide(ann)]).toEqual([403, 404, 200]);
    expect((await as(owner, 'inbox.list', { status: 'decided' })).body.data).toMatchObject([
      { answer: 'The blue one.', decided_by_account_id: ann.accountId },
    ]);
    expect([(await say(ann, taskId)).status, (await say(bob, taskId)).status, (await say(stranger, taskId)).status]).toEqual([
      ...[200, 403, 404],
    ]);
    const stop = async (who: Owner) => (await as(who, 'task.stop', { task_id: taskId })).status;
    expect([await stop(bob), await stop(stranger), await stop(ann)]).toEqual([403, 404, 200]);
    expect((await as(owner, 'task.detail', { task_id: taskId })).body.task).toMatchObject({ status: 'stopped' });

    // What is not to act in it stays with the owner.
    const beyond: [string, Json][] = [
      ['task.update', { title: 'Mine' }],
      ['task.update', { share_visibility: 'public' }],
      ['task.delete', {}],
      ['task.token', { expires_in: 60, can: ['read'] }],
      ['task.handOver', { account_id: bob.accountId }],
    ];
    for (const [name, input] of beyond)
      expect([name, (await as(ann, name, { task_id: taskId, ...input })).status]).toEqual([
        name,
        name === 'task.token' ? 404 : 403,
      ]);

    expect((await handOver(owner, taskId, null)).body.task.assignee).toBeUndefined();
    expect([(await say(ann, taskId)).status, await assigned(ann)]).toEqual([403, []]);
  });

  it('takes text of its assignee and nothing else, and confirms what it may', async () => {
    const { api, ann, as, handOver, say } = await start();
    await using _ = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team', interactive_mode: true });
    await handOver(api.owner, taskId, ann);
    const hand = await WorkerHand.take(store.database, taskId);
    const file = String(((await as(ann, 'file.upload', { filename: 'a.txt' })).body.file as Json).id);
    const tried = [
      await say(ann, taskId, { content: [{ type: 'file', file_id: file }] }),
      await say(ann, taskId, { connectors: ['x'] }),
      await say(ann, taskId, { enable_skills: ['x'] }),
      await say(ann, taskId, {}, { agent_profile: 'service-1.6-max' }),
      await say(ann, taskId, {}, { budget: { credits: 5 } }),
    ];
    expect(tried.map(({ status, body }) => [status, body.error.param])).toEqual([
      [403, 'message.content'],
      [403, 'message.connectors'],
      [403, 'message.enable_skills'],
      [403, 'agent_profile'],
      [403, 'budget'],
    ]);
    const usage = { input: 1, output: 1, cached: 0 };
    const schema = { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] };
    await hand.log(
      { type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 },
      { type: 'model_finished', step: 1, parts: [{ type: 'call', id: 'c1', tool: 'run_shell', input: {} }], usage },
      { type: 'waiting', callId: 'c1', question: 'May I?', action: { kind: 'terminalExecute', schema } },
    );
    const [status] = (await api.call('task.listMessages', { task_id: taskId })).body.messages;
    const { status_detail: detail } = (status?.status_update ?? {}) as { status_detail?: Json };
    const confirmed = await as(ann, 'task.confirmAction', {
      ...{ task_id: taskId, event_id: detail?.waiting_for_event_id, input: { accept: true } },
    });
    expect([confirmed.status, confirmed.body.confirmed]).toEqual([200, true]);
  });

  it('says who wrote a message to those of the team alone, and leaves the owner out', async () => {
    const { api, ann, bob, stranger, as, handOver, say } = await start();
    await using _ = api;
    const { owner } = api;
    const taskId = await api.createTask('Our plan', { share_visibility: 'team', interactive_mode: true });
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.ask('Which?');
    await handOver(owner, taskId, ann);
    const [item] = (await as(ann, 'inbox.list')).body.data;
    expect((await as(ann, 'inbox.decide', { id: item?.id, answer: 'This one.' })).status).toBe(200);
    expect((await say(ann, taskId, { content: 'From Ann' })).status).toBe(200);
    expect((await say(owner, taskId, { content: 'From its owner' })).status).toBe(200);

    const listAuthors = (messages: readonly Json[]) =>
      messages.flatMap(({ user_message: message }) => {
        const { content, author } = (message ?? {}) as { content?: string; author?: string };
        return content === undefined ? [] : [[content, author]];
      });
    const authors = async (who: Owner) =>
      listAuthors((await as(who, 'task.listMessages', { task_id: taskId, order: 'asc' })).body.messages);
    const expected = [
      ['Our plan', undefined],
      ['This one.', ann.accountId],
      ['From Ann', ann.accountId],
      ['From its owner', undefined],
    ];
    for (const who of [owner, ann, bob]) expect(await authors(who)).toEqual(expected);
    expect((await as(stranger, 'task.listMessages', { task_id: taskId })).status).toBe(404);
    const reader = await EventReader.open(api, { task_id: taskId });
    const streamed = (await reader.take(expected.length + 2)).map(({ data }) => data);
    reader.leave();
    expect(listAuthors(streamed)).toEqual(expected.slice(0, listAuthors(streamed).length));
    expect(JSON.stringify(streamed)).toContain(ann.accountId);

    // A page of the owner's product, and visitors, are not of the team.
    const { token } = (await api.call('task.token', { task_id: taskId, expires_in: 60, can: ['read', 'stream'] })).body;
    const embedded = await api.call(
      'task.listMessages',
      { task_id: taskId },
      { key: null, headers: { authorization: `Bearer ${String(token)}` } },
    );
    expect([embedded.status, JSON.stringify(embedded.body).includes(ann.accountId)]).toEqual([200, false]);

    const { share_url: shared } = (await api.call('task.update', { task_id: taskId, share_visibility: 'public' })).body;
    const shareId = new URL(String(shared)).pathname.split('/').at(-1) ?? '';
    const page = await (await api.fetch(`/web/share.listMessages?share_id=${shareId}`, {}, { key: null })).text();
    expect([page.includes('From Ann'), page.includes(ann.accountId)]).toEqual([true, false]);
  });

  it('is paid for by its owner, whoever decides', async () => {
    const { api, ann, as, handOver } = await start();
    await using _ = api;
    const { owner } = api;
    await using strict = await ApiUnderTest.start(store.database, { owner, isCreditEnforced: true });
    const grant = ({ accountId }: Owner, credits: number) =>
      strict.http.inject({ method: 'POST', path: '/admin/credits.grant', body: { credits }, account: accountId });
    const taskId = await api.createTask('Our plan', { share_visibility: 'team', interactive_mode: true });
    await handOver(owner, taskId, ann);
    await (await WorkerHand.take(store.database, taskId)).ask('Which?');
    const [item] = (await as(ann, 'inbox.list')).body.data;
    const decide = async () => (await strict.call('inbox.decide', { id: item?.id, answer: 'This.' }, { key: ann.key })).status;
    await grant(owner, -4300);
    expect(await decide()).toBe(429);
    await grant(owner, 4300);
    await grant(ann, -4300);
    expect(await decide()).toBe(200);
  });

  it('goes to members of the team alone, and only while it is shared with them', async () => {
    const { api, ann, bob, stranger, handOver, assigned } = await start();
    await using _ = api;
    const { owner } = api;
    const hidden = await api.createTask('Mine');
    const shared = await api.createTask('Ours', { share_visibility: 'team' });
    const answers = [
      await handOver(owner, hidden, ann),
      await handOver(owner, shared, stranger),
      await handOver(stranger, shared, stranger),
      await handOver(ann, shared, ann),
      await handOver(ann, shared, null),
      await handOver(ann, hidden, ann),
      await handOver(owner, shared, bob),
    ];
    expect(answers.map(({ status }) => status)).toEqual([412, 404, 404, 403, 403, 404, 200]);
    await store.query("UPDATE accounts SET status = 'disabled' WHERE account_id = ?", ann.accountId);
    expect((await handOver(owner, shared, ann)).status).toBe(412);
    expect(await assigned(bob)).toHaveLength(1);
    // Giving it to the owner is taking it back.
    expect((await handOver(owner, shared, owner)).body.task.assignee).toBeUndefined();
    await handOver(owner, shared, bob);
    expect((await handOver(bob, shared, null)).body.task.assignee).toBeUndefined();
    expect(await assigned(bob)).toEqual([]);
  });

  it.each(['the assignee leaves', 'the owner leaves', 'it is not shared any more'])(
    'is not handed over any more when %s',
    async (how) => {
      const { api, ann, bob, stranger, teamId, as, handOver, assigned, say } = await start();
      await using _ = api;
      // The owner of a team cannot leave it.
      const owner = how === 'the owner leaves' ? bob : api.owner;
      const { body } = await as(owner, 'task.create', { message: { content: 'Ours' }, share_visibility: 'team' });
      const taskId = String(body.task_id);
      expect((await handOver(owner, taskId, ann)).status).toBe(200);
      if (how === 'it is not shared any more') await as(owner, 'task.update', { task_id: taskId, share_visibility: 'private' });
      else await leave(teamId, api, how === 'the owner leaves' ? owner : ann);
      expect([(await say(ann, taskId)).status, await assigned(ann)]).toEqual([404, []]);
      expect((await as(owner, 'task.detail', { task_id: taskId })).body.task.assignee).toBeUndefined();
      expect((await say(owner, taskId)).status).toBe(200);
      expect((await as(stranger, 'task.detail', { task_id: taskId })).status).toBe(404);
    },
  );
});
