import { expect, it } from 'vitest';
import { usualCreditPrice } from '../../src/rules/credits/credit-price.ts';
import { eventId, newId } from '@errand/base/ids.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import type { DecideArgs } from '../../src/store/inbox/inbox-decisions.ts';
import { decideItem } from '../../src/store/inbox/inbox-decisions.ts';
import { appendEvents } from '../../src/store/tasks/task-leases.ts';
import { createTask, messageTask } from '../../src/store/tasks/tasks.ts';
import { describeStores } from '../support/db/databases.ts';
import { claim, newAccountId, nextMs, sampleTask } from '../support/db/store-samples.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { someNumber } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const schema = { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] };
const usage = { input: 1, output: 1, cached: 0 };

describeStores('the inbox', (store) => {
  const begin = async (api: ApiUnderTest, more: Json = {}) => {
    const taskId = await api.createTask('x', { interactive_mode: true, title: 'Tea', ...more });
    return { taskId, hand: await WorkerHand.take(store.database, taskId) };
  };
  const ask = async (api: ApiUnderTest, question = 'Which?', more: Json = {}) => {
    const { taskId, hand } = await begin(api, more);
    await hand.ask(question);
    return taskId;
  };
  const propose = async (api: ApiUnderTest, kind = 'terminalExecute') => {
    const { taskId, hand } = await begin(api);
    await hand.log(
      { type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 },
      { type: 'model_finished', step: 1, parts: [{ type: 'call', id: 'c1', tool: 'run_shell', input: {} }], usage },
    );
    await hand.log(
      {
        type: 'action_prepared',
        callId: 'c1',
        tool: 'run_shell',
        params: {},
        brief: 'Running rm',
        action: 'Run',
        param: 'rm -r a',
      },
      { type: 'waiting', callId: 'c1', question: 'Running rm: rm -r a', action: { kind, schema } },
    );
    return taskId;
  };
  const fail = async (api: ApiUnderTest) => {
    const { taskId, hand } = await begin(api);
    await hand.log({ type: 'error', errorType: 'model_refused', text: 'No model.' }, { type: 'failed' });
    return taskId;
  };
  const list = async (api: ApiUnderTest, input: Json = {}, key?: string) =>
    (await api.call('inbox.list', input, key === undefined ? {} : { key })).body;
  const statusOf = async (api: ApiUnderTest, taskId: string) =>
    (await api.call('task.detail', { task_id: taskId })).body.task.status;

  it('lists what waits for a person, with everything needed to decide', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [asked, proposed, expired, failed] = [
      await ask(api),
      await propose(api),
      await propose(api, 'connectorOauthExpired'),
      await fail(api),
    ];
    const running = await begin(api);
    await running.hand.step(1);
    const { data, has_more } = await list(api);
    const about = { task_title: 'Tea', owner: api.owner.accountId, created_at: someNumber, id: expect.any(String) as string };
    expect(data).toEqual([
      { ...about, task_id: failed, type: 'failure', text: 'No model.' },
      { ...about, task_id: expired, type: 'sign_in', text: 'Running rm: rm -r a', input_schema: schema },
      { ...about, task_id: proposed, type: 'confirmation', text: 'Running rm: rm -r a', input_schema: schema },
      { ...about, task_id: asked, type: 'question', text: 'Which?' },
    ]);
    expect(has_more).toBe(false);
    expect(new Set(data.map(({ id }) => id)).size).toBe(4);
    expect((await list(api)).data).toEqual(data);
    for (const type of ['question', 'confirmation', 'sign_in', 'failure'])
      expect((await list(api, { type })).data.map((item) => item.type)).toEqual([type]);
    const first = await list(api, { limit: 3 });
    expect([first.data, first.has_more]).toEqual([data.slice(0, 3), true]);
    expect((await list(api, { limit: 3, cursor: first.next_cursor })).data).toEqual(data.slice(3));
    const filtered = await list(api, { limit: 1, type: 'question' });
    expect([filtered.data, filtered.has_more]).toEqual([data.slice(3), false]);
  });

  it('refuses a form that was sent without a choice, and waits on', async () => {
    await using api = await ApiUnderTest.start(store.database);
    await propose(api);
    const [item] = (await list(api)).data;
    const { status, body } = await api.call('inbox.decide', { id: item?.id, input: { accept: null }, answer: 'x' });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_argument', 'input.accept']);
    expect((await list(api)).data).toEqual([item]);
  });

  it('passes an answer on as a message of the user, once', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await ask(api);
    const [item] = (await list(api)).data;
    const decide = (input: Json) => api.call('inbox.decide', { id: item?.id, ...input });
    expect((await decide({})).body.error).toMatchObject({ code: 'invalid_argument', param: 'answer' });
    expect((await decide({ answer: 'Green tea.', note: 'I like it.' })).body).toMatchObject({ ok: true, decided: true });
    expect((await decide({ answer: 'Black tea.' })).body.error).toMatchObject({ code: 'conflict' });
    const { messages } = (await api.call('task.listMessages', { task_id: taskId })).body;
    expect(messages.filter(({ type }) => type === 'user_message')[0]?.user_message).toMatchObject({ content: 'Green tea.' });
    expect(await statusOf(api, taskId)).toBe('running');
    expect((await list(api)).data).toEqual([]);
    expect((await list(api, { status: 'decided' })).data).toEqual([
      {
        ...item,
        answer: 'Green tea.',
        note: 'I like it.',
        decided_at: someNumber,
        decided_by: `api_key:${api.owner.keyId}`,
        decided_by_name: expect.any(String) as string,
        decided_by_account_id: api.owner.accountId,
      },
    ]);
    await api.call('task.delete', { task_id: taskId });
    expect((await list(api, { status: 'decided' })).data).toEqual([]);
    expect(await store.query('SELECT seq FROM inbox_decisions')).toEqual([]);
  });

  it('confirms and declines actions, and dismisses or repeats what failed', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const decideNext = async (input: Json) => {
      const [item] = (await list(api)).data;
      return api.call('inbox.decide', { id: item?.id, ...input });
    };
    const accepted = await propose(api);
    expect((await decideNext({ note: 'x' })).body.error).toMatchObject({ param: 'accept' });
    expect((await decideNext({ accept: true })).status).toBe(200);
    const declined = await propose(api);
    expect((await decideNext({ input: { accept: false } })).status).toBe(200);
    const answered = await propose(api);
    expect((await decideNext({ answer: 'Wait until tomorrow.' })).status).toBe(200);
    const repeated = await fail(api);
    expect((await decideNext({})).body.error).toMatchObject({ param: 'accept' });
    expect((await decideNext({ accept: true })).status).toBe(200);
    for (const taskId of [accepted, declined, answered, repeated]) expect(await statusOf(api, taskId)).toBe('running');
    const dismissed = await fail(api);
    expect((await decideNext({ accept: false })).status).toBe(200);
    expect(await statusOf(api, dismissed)).toBe('error');
    expect((await list(api)).data).toEqual([]);
    const decisions = await store.query("SELECT body FROM events WHERE type = 'decided' ORDER BY task_id");
    expect(decisions.map(({ body }) => (JSON.parse(String(body)) as Json).isAccepted)).toEqual([true, false]);
    expect((await list(api, { status: 'decided', type: 'failure', limit: 1 })).has_more).toBe(true);
  });

  it('sends the answer that comes with a confirmation, and refuses one that nothing would do with', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const decideNext = async (input: Json) => api.call('inbox.decide', { id: (await list(api)).data[0]?.id, ...input });
    const sentTo = async (taskId: string) =>
      (await api.call('task.listMessages', { task_id: taskId })).body.messages.flatMap(({ user_message: sent }) =>
        sent ? [(sent as Json).content] : [],
      );
    const declined = await propose(api);
    expect((await decideNext({ accept: false, answer: 'Use the copy.' })).status).toBe(200);
    expect(await sentTo(declined)).toContain('Use the copy.');
    expect(await store.query("SELECT type FROM events WHERE type = 'decided'")).toHaveLength(1);
    const failed = await fail(api);
    const refused = await decideNext({ accept: false, answer: 'Never mind.' });
    expect(refused.body.error).toMatchObject({ code: 'invalid_argument', param: 'answer' });
    expect(await sentTo(failed)).not.toContain('Never mind.');
    expect((await list(api)).data).toMatchObject([{ task_id: failed }]);
  });

  it('gives 409 for what was decided elsewhere, and 404 for what never was', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const taskId = await ask(api);
    const id = String((await list(api)).data[0]?.id);
    const decide = async (itemId: string, options = {}) =>
      (await api.call('inbox.decide', { id: itemId, answer: 'x' }, options)).body.error;
    const missing = await decide(`${'A'.repeat(22)}-4`);
    expect(missing).toMatchObject({ code: 'not_found' });
    for (const unknown of ['nonsense', `${taskId}-1`, `${taskId}-9999`, taskId]) expect(await decide(unknown)).toEqual(missing);
    expect(await decide(id, { key: stranger.key })).toEqual(missing);
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'Black tea.' } });
    expect(await decide(id)).toMatchObject({ code: 'conflict' });
    expect((await list(api)).data).toEqual([]);
    const hand = await WorkerHand.take(store.database, taskId);
    await hand.ask('And milk?');
    expect(await decide(id)).toMatchObject({ code: 'conflict' });
    expect((await list(api)).data).toMatchObject([{ text: 'And milk?' }]);
  });

  it('keeps who decided elsewhere: with a message, a confirmation, a stop, or by going on after a failure', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const page = await addSession(store.database, api.owner.accountId);
    const [asked, proposed, stopped, failed] = [await ask(api), await propose(api), await ask(api), await fail(api)];
    await api.call('task.sendMessage', { task_id: asked, message: { content: 'Green tea.' } });
    const [item] = (await list(api, { type: 'confirmation' })).data;
    const seq = Number(String(item?.id).split('-')[1]);
    const confirmed = { task_id: proposed, event_id: eventId(proposed, seq - 1, Date.now()), input: { accept: false } };
    expect((await api.call('task.confirmAction', confirmed, { key: null, headers: page.headers })).status).toBe(200);
    await api.call('task.stop', { task_id: stopped });
    await api.call('task.sendMessage', { task_id: failed, message: { content: 'Again.' } });
    // Nothing waits any more, so nothing more is decided.
    for (const taskId of [asked, failed]) await api.call('task.sendMessage', { task_id: taskId, message: { content: 'And?' } });
    const program = {
      decided_by: `api_key:${api.owner.keyId}`,
      decided_by_name: expect.any(String) as string,
      decided_at: someNumber,
    };
    const { data } = (await list(api, { status: 'decided' })) as { data: Json[] };
    expect(data).toMatchObject([
      { task_id: failed, type: 'failure', answer: 'Again.', ...program },
      { task_id: stopped, type: 'question', accept: false, ...program },
      { task_id: proposed, type: 'confirmation', accept: false, decided_by: `session:${page.sessionId}` },
      { task_id: asked, type: 'question', answer: 'Green tea.', ...program },
    ]);
    expect(data.every(({ decided_by_account_id: by }) => by === api.owner.accountId)).toBe(true);
  });

  it('keeps who raised the budget of a task', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { taskId, hand } = await begin(api, { budget: { credits: 5 } });
    await hand.log({
      type: 'waiting',
      callId: null,
      question: 'The budget is used up.',
      budget: { scope: 'task', retryAtMs: null },
    });
    await store.query('UPDATE tasks SET budget_retry_at = 9000000000000000 WHERE id = ?', taskId);
    expect((await api.call('task.update', { task_id: taskId, budget: { credits: 50 } })).status).toBe(200);
    expect(await statusOf(api, taskId)).toBe('running');
    expect((await list(api, { status: 'decided' })).data).toMatchObject([
      { task_id: taskId, type: 'budget', accept: true, decided_by: `api_key:${api.owner.keyId}` },
    ]);
  });

  it('shows members what the team shares, and lets those decide to whom it is assigned', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [mate, stranger]: Owner[] = [await addOwner(store.database), await addOwner(store.database)];
    const now = Date.now();
    const teamId = newId(now);
    await store.database.run(createTeam, { teamId, name: 'T', ownerId: api.owner.accountId, now, actor: 'operator' });
    const member = "INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, 'member', ?)";
    await store.query(member, mate?.accountId ?? '', teamId, now);
    await ask(api, 'Private?');
    const shared = await ask(api, 'Shared?', { share_visibility: 'team' });
    const [item, hidden] = (await list(api)).data;
    expect((await list(api, {}, mate?.key)).data).toEqual([item]);
    expect((await list(api, {}, stranger?.key)).data).toEqual([]);
    const assign = (id: unknown, account: string | null | undefined, key?: string) =>
      api.call('inbox.assign', { id, account_id: account }, key === undefined ? {} : { key });
    const decide = (key?: string) => api.call('inbox.decide', { id: item?.id, answer: 'Yes.' }, key === undefined ? {} : { key });
    expect((await decide(mate?.key)).status).toBe(403);
    expect((await assign(item?.id, mate?.accountId, mate?.key)).status).toBe(403);
    expect((await assign(item?.id, stranger?.accountId)).status).toBe(404);
    expect((await assign(item?.id, mate?.accountId, stranger?.key)).status).toBe(404);
    expect((await assign(hidden?.id, mate?.accountId)).status).toBe(412);
    expect((await assign(item?.id, mate?.accountId)).status).toBe(200);
    expect((await list(api)).data[0]).toMatchObject({ task_id: shared, assignee: mate?.accountId });
    expect((await decide(mate?.key)).status).toBe(200);
    expect((await decide()).status).toBe(409);
    expect((await list(api, { status: 'decided' })).data).toMatchObject([
      { decided_by: `api_key:${mate?.keyId}`, decided_by_account_id: mate?.accountId },
    ]);
  });

  it('decides each of 1,000 items exactly once, whoever else decides it at the same time', async () => {
    const accountId = newAccountId();
    const samples = Array.from({ length: 1000 }, () => sampleTask(accountId));
    await Promise.all(samples.map((sample) => store.database.run(createTask, sample)));
    const claimed = [];
    while (claimed.length < samples.length) claimed.push(...(await claim(store.database, { slots: 500 })));
    await Promise.all(
      claimed.map(({ taskId, fence }) =>
        store.database.run(appendEvents, {
          ...{ accountId, taskId, fence, now: nextMs(), expectSeq: null },
          events: [
            { type: 'assistant_message', text: 'Which?' },
            { type: 'waiting', callId: 'ask', question: 'Which?' },
          ],
        }),
      ),
    );
    const seqs = await store.query("SELECT task_id, seq FROM events WHERE account_id = ? AND type = 'waiting'", accountId);
    const [one = store.database, two = store.database] = store.others;
    const words = (text: string) => ({ type: 'user_message' as const, text, kind: 'text' as const });
    const race = async (taskId: string, seq: number, index: number) => {
      const args: Omit<DecideArgs, 'message' | 'decider'> = {
        ...{ accountId, taskId, seq, accept: null, retryMessage: words('Again.'), input: null, note: null, now: nextMs() },
        ...{ grantedConnectors: null, creditDemand: null, price: usualCreditPrice },
      };
      const by = (actor: string) => ({ actor, accountId });
      const byPage = () => one.run(decideItem, { ...args, message: words('page'), decider: by('session:1') });
      const byApi = () => two.run(decideItem, { ...args, message: words('api'), decider: by('api_key:1') });
      const byChat = () =>
        store.database.run(messageTask, { accountId, taskId, now: nextMs(), message: words('chat'), profile: null });
      const order = index % 3 === 0 ? [byChat, byPage, byApi] : index % 3 === 1 ? [byPage, byApi] : [byApi, byPage, byChat];
      const outcomes = await Promise.allSettled(order.map((act) => act()));
      const refused = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
      );
      return { isAmongTwo: order.length === 2, chats: order.length - 2, won: 2 - refused.length, refused };
    };
    let chatted = 0;
    for (let at = 0; at < seqs.length; at += 50) {
      const batch = seqs.slice(at, at + 50).map(({ task_id, seq }, index) => race(String(task_id), Number(seq), index));
      for (const { won, refused, isAmongTwo, chats } of await Promise.all(batch)) {
        chatted += chats;
        expect(won).toBeLessThanOrEqual(1);
        if (isAmongTwo) expect(won).toBe(1);
        expect(new Set([...refused, 'conflict'])).toEqual(new Set(['conflict']));
      }
    }
    // Every task has its chat message, and beside it the answer of whoever won, if anybody did.
    const [decided] = await store.query('SELECT COUNT(*) AS count FROM inbox_decisions WHERE account_id = ?', accountId);
    const [messages] = await store.query(
      "SELECT COUNT(*) AS count FROM events WHERE account_id = ? AND type = 'user_message'",
      accountId,
    );
    expect(Number(messages?.count)).toBe(1000 + chatted + Number(decided?.count));
    expect(Number(decided?.count)).toBeGreaterThan(0);
  });
});
