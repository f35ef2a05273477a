import { expect, it } from 'vitest';
import { usualCreditPrice } from '../../src/rules/credits/credit-price.ts';
import { decideTimedOut } from '../../src/store/inbox/decision-timeouts.ts';
import { decideItem } from '../../src/store/inbox/inbox-decisions.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const hourMs = 3_600_000;
const schema = { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] };
const usage = { input: 1, output: 1, cached: 0 };
const rounds = Number(process.env['ERRAND_TEST_DECISION_ROUNDS'] ?? 25);

describeStores('what nobody decides in time', (store) => {
  const begin = async (api: ApiUnderTest, timeout: Json | null) => {
    const taskId = await api.createTask('x', { interactive_mode: true, ...(timeout && { decision_timeout: timeout }) });
    return { taskId, hand: await WorkerHand.take(store.database, taskId) };
  };
  const ask = async (api: ApiUnderTest, timeout: Json | null) => {
    const { taskId, hand } = await begin(api, timeout);
    await hand.ask('Which?');
    return taskId;
  };
  const propose = async (api: ApiUnderTest, timeout: Json) => {
    const { taskId, hand } = await begin(api, timeout);
    await hand.log(
      { type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 },
      { type: 'model_finished', step: 1, parts: [{ type: 'call', id: 'c1', tool: 'run_shell', input: {} }], usage },
      { type: 'action_prepared', callId: 'c1', tool: 'run_shell', params: {}, brief: 'Running rm', action: 'Run', param: 'rm' },
      { type: 'waiting', callId: 'c1', question: 'Running rm', action: { kind: 'terminalExecute', schema } },
    );
    return taskId;
  };
  const decideAt = (now: number) => store.database.run(decideTimedOut, { now });
  const events = async (api: ApiUnderTest, taskId: string) =>
    (await api.call('task.listMessages', { task_id: taskId })).body.messages.map((event) => event[String(event['type'])] as Json);
  const statusOf = async (api: ApiUnderTest, taskId: string) =>
    (await api.call('task.detail', { task_id: taskId })).body.task.status as string;
  const decided = async (api: ApiUnderTest) => (await api.call('inbox.list', { status: 'decided' })).body.data;

  it('is answered with the answer of the task, and not before the time that the inbox shows', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const timeout = { seconds: 3600, answer: 'The blue one.' };
    const taskId = await ask(api, timeout);
    const [item] = (await api.call('inbox.list')).body.data;
    expect(item?.['expires_at']).toBe(Number(item?.['created_at']) + 3600);
    expect((await api.call('task.detail', { task_id: taskId })).body.task.decision_timeout).toEqual(timeout);
    const early = await decideAt(Date.now() + hourMs - 60_000);
    expect(early).toMatchObject({ taskIds: [], hasMore: false });
    expect(Math.abs((early.nextAtMs ?? 0) - Date.now() - hourMs)).toBeLessThan(60_000);
    expect((await decideAt(Date.now() + hourMs + 1000)).taskIds).toEqual([taskId]);
    expect(await statusOf(api, taskId)).toBe('running');
    expect(await events(api, taskId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ content: 'The blue one.' }),
        expect.objectContaining({ brief: 'Going on: nobody answered in time' }),
      ]),
    );
    expect(await decided(api)).toMatchObject([{ id: item?.['id'], answer: 'The blue one.', decided_by: 'time_limit' }]);
    expect((await decided(api))[0]).not.toHaveProperty('decided_by_account_id');
    expect((await api.call('inbox.decide', { id: item?.['id'], answer: 'x' })).body.error.code).toBe('conflict');
    expect(await decideAt(Date.now() + 2 * hourMs)).toEqual({ taskIds: [], hasMore: false, nextAtMs: null });
  });

  it('lets the agent go on by its own judgement where no answer was given in advance', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await ask(api, { seconds: 60, answer: '  ' });
    await decideAt(Date.now() + hourMs);
    expect(await events(api, taskId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ content: expect.stringContaining('Nobody answered in time') as string }),
      ]),
    );
  });

  it('is refused if it is an action, whatever the answer says', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await propose(api, { seconds: 60, answer: 'yes, accept' });
    expect((await decideAt(Date.now() + hourMs)).taskIds).toEqual([taskId]);
    const [logged] = await store.query("SELECT body FROM events WHERE task_id = ? AND type = 'decided'", taskId);
    expect(JSON.parse(String(logged?.['body']))).toMatchObject({ isAccepted: false, isLasting: false, by: 'time_limit' });
    expect(await decided(api)).toMatchObject([{ type: 'confirmation', accept: false, decided_by: 'time_limit' }]);
    expect((await decided(api))[0]).not.toHaveProperty('answer');
  });

  it('waits as long as it takes without a limit, and where a higher budget is wanted', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const asked = await ask(api, null);
    const { taskId, hand } = await begin(api, { seconds: 60 });
    await hand.log({ type: 'waiting', callId: null, question: 'More?', budget: { retryAtMs: null } });
    expect(await decideAt(Date.now() + 1000 * hourMs)).toEqual({ taskIds: [], hasMore: false, nextAtMs: null });
    expect([await statusOf(api, asked), await statusOf(api, taskId)]).toEqual(['waiting', 'waiting']);
    for (const item of (await api.call('inbox.list')).body.data) expect(item).not.toHaveProperty('expires_at');
  });

  it('has its whole time again with each question, also where the previous release left an earlier time behind', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await ask(api, { seconds: 3600 });
    await store.query('UPDATE tasks SET decision_due_at = 1 WHERE id = ?', taskId);
    expect((await decideAt(Date.now())).taskIds).toEqual([]);
    expect((await decideAt(Date.now() + hourMs + 1000)).taskIds).toEqual([taskId]);
    const hand = await WorkerHand.take(store.database, taskId);
    await store.query('UPDATE tasks SET decision_due_at = 1 WHERE id = ?', taskId);
    expect(await decideAt(Date.now())).toMatchObject({ taskIds: [], nextAtMs: null });
    await hand.ask('And now?');
    expect(Number((await api.call('inbox.list')).body.data[0]?.['expires_at'])).toBeGreaterThan(Date.now() / 1000 + 3500);
  });

  it('ends with a stop, and with a message', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [one, two] = [await ask(api, { seconds: 60 }), await ask(api, { seconds: 60 })];
    await api.call('task.stop', { task_id: one });
    await api.call('task.sendMessage', { task_id: two, message: { content: 'Green.' } });
    expect(await decideAt(Date.now() + hourMs)).toEqual({ taskIds: [], hasMore: false, nextAtMs: null });
  });

  it('is asked for by schedules, triggers, and recipes too, and clearly refused where it is wrong', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const timeout = { seconds: 600, answer: 'Yes.' };
    const created = await api.call('schedule.create', {
      ...{ name: 'n', message: 'm', interval_seconds: 3600, interactive_mode: true, decision_timeout: timeout },
    });
    const schedule = created.body['schedule'] as Json;
    expect(schedule['decision_timeout']).toEqual(timeout);
    const changed = await api.call('schedule.update', { schedule_id: schedule['id'], decision_timeout: null });
    expect(changed.body['schedule']).not.toHaveProperty('decision_timeout');
    const recipe = (await api.call('recipe.create', { name: 'n', message_template: 'm', decision_timeout: timeout })).body;
    const { task_id } = (await api.call('recipe.run', { recipe_id: (recipe['recipe'] as Json)['id'] })).body;
    expect((await api.call('task.detail', { task_id })).body.task.decision_timeout).toEqual(timeout);
    const trigger = await api.call('trigger.create', {
      ...{ name: 'n', message_template: 'm', verification: { type: 'none' }, decision_timeout: timeout },
    });
    expect((trigger.body['trigger'] as Json)['decision_timeout']).toEqual(timeout);
    for (const [wrong, param] of [
      [{ seconds: 9 }, 'decision_timeout.seconds'],
      [{ seconds: 31_536_001 }, 'decision_timeout.seconds'],
      [{ answer: 'x' }, 'decision_timeout.seconds'],
      [{ seconds: 60, answer: 'x'.repeat(10_001) }, 'decision_timeout.answer'],
    ] as const) {
      const { status, body } = await api.call('task.create', { message: { content: 'x' }, decision_timeout: wrong });
      expect([status, body.error.param]).toEqual([400, param]);
    }
  });

  it(`counts once against a person who decides at the same time, whoever is first (${rounds} races)`, {
    timeout: 600_000,
  }, async () => {
    await using api = await ApiUnderTest.start(store.database, { limiter: undefined });
    const [other = store.database] = store.others;
    const { accountId } = api.owner;
    const wins = { limit: 0, person: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const isQuestion = round % 2 === 0;
      const taskId = isQuestion ? await ask(api, { seconds: 60 }) : await propose(api, { seconds: 60 });
      const id = String((await api.call('inbox.list')).body.data[0]?.['id']);
      const message = { type: 'user_message', text: `round ${round}`, kind: 'text' } as const;
      const byLimit = () =>
        Promise.all([store.database, other].map((each) => each.run(decideTimedOut, { now: Date.now() + hourMs })));
      const early = round % 3 === 0 ? byLimit() : null;
      const byPerson = other
        .run(decideItem, {
          ...{ accountId, taskId, seq: Number(id.split('-')[1]), accept: isQuestion ? null : true },
          ...{ message: isQuestion ? message : null, retryMessage: message, input: null, note: null, now: Date.now() },
          ...{ decider: { actor: 'session:s', accountId }, grantedConnectors: null, creditDemand: null, price: usualCreditPrice },
        })
        .then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ code: 'conflict' });
            return false;
          },
        );
      // A person's decision takes more steps, so the time limit comes later by as many as none of them, and in the end after all.
      for (let steps = round % 8; steps > 0; steps -= 1) await store.query('SELECT 1 AS one WHERE 1 = ?', 1);
      if (round % 8 === 7) await byPerson;
      const limits = await (early ?? byLimit());
      const timedOut = limits.flatMap(({ taskIds }) => taskIds);
      const isPerson = await byPerson;
      expect(timedOut).toEqual(isPerson ? [] : [taskId]);
      wins[isPerson ? 'person' : 'limit'] += 1;
      const kept = await store.query('SELECT decided_by FROM inbox_decisions WHERE task_id = ?', taskId);
      expect(kept).toEqual([{ decided_by: isPerson ? 'session:s' : 'time_limit' }]);
      expect(await statusOf(api, taskId)).toBe('running');
    }
    expect(Math.min(wins.person, wins.limit)).toBeGreaterThan(0);
    console.info(`${rounds} races, decided by: ${JSON.stringify(wins)}`);
  });
});
