import { expect, it } from 'vitest';
import type { TaskEvent } from '../../src/rules/events/task-event.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const call = (model: string, cost: number): TaskEvent[] => [
  { type: 'model_started', step: 1, attempt: 1, model, estimatedInput: 1, estimatedCost: 1 },
  {
    type: 'model_finished',
    step: 1,
    parts: [{ type: 'text', text: 'x' }],
    usage: { input: 1000, output: 20, cached: 600 },
    cost,
  },
];

describeStores('usage.breakdown', (store) => {
  it('adds up tokens and money by day, model, project and person, within the rights of the caller', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [member, stranger] = [await addOwner(store.database), await addOwner(store.database)];
    await store.query("INSERT INTO teams (team_id, name, created_at) VALUES ('t1', 'Team', 1)");
    const people: [Owner, string][] = [
      [api.owner, 'owner'],
      [member, 'member'],
    ];
    for (const [{ accountId }, role] of people)
      await store.query(
        'INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, ?, 1)',
        accountId,
        't1',
        role,
      );
    const run = async ({ key }: Owner, model: string, cost: number, input: Json = {}) => {
      const { body } = await api.call('task.create', { message: { content: 'x' }, ...input }, { key });
      const worker = await WorkerHand.take(store.database, String(body.task_id));
      await worker.log(...call(model, cost));
      await worker.finish('Done.');
    };
    const { body: made } = await api.call('project.create', { name: 'Garden' });
    const projectId = (made.project as Json).id;
    const { body: theirs } = await api.call('project.create', { name: 'Secret' }, { key: member.key });
    const secretId = (theirs.project as Json).id;
    await run(api.owner, 'a/one', 2_500_000, { project_id: projectId });
    await run(api.owner, 'b/two', 1_000_000);
    await run(member, 'a/one', 500_000, { project_id: secretId });
    await run(stranger, 'a/one', 90_000_000);

    const ask = async (input: Json, { key }: Owner = api.owner) => (await api.call('usage.breakdown', input, { key })).body;
    const today = Math.floor(Date.now() / 86_400_000) * 86_400;
    const tokens = (calls: number) => ({
      calls,
      input_tokens: calls * 1000,
      output_tokens: calls * 20,
      cached_tokens: calls * 600,
    });
    const costs = (credits: number) => ({ credits, money: { amount: credits / 100, currency: 'USD' } });
    const days = await ask({});
    expect(days.data).toEqual([{ date: today, ...tokens(3), ...costs(4) }]);
    expect(days.total).toEqual({ ...tokens(3), ...costs(4) });
    expect((await ask({ by: 'model' })).data).toEqual([
      { model: 'a/one', ...tokens(2), ...costs(3) },
      { model: 'b/two', ...tokens(1), ...costs(1) },
    ]);
    const whose = ({ accountId }: Owner) => {
      const name = accountId.toLowerCase();
      return { user_id: accountId, user_name: name, email: `${name}@example.com` };
    };
    expect((await ask({ by: 'project' })).data).toEqual([
      { project_id: projectId, project_name: 'Garden', ...whose(api.owner), ...tokens(1), ...costs(2.5) },
      { project_id: '', ...tokens(1), ...costs(1) },
      { project_id: secretId, ...whose(member), ...tokens(1), ...costs(0.5) },
    ]);
    expect((await ask({ by: 'user' })).data).toEqual([
      { ...whose(api.owner), ...tokens(2), ...costs(3.5) },
      { ...whose(member), ...tokens(1), ...costs(0.5) },
    ]);
    expect((await ask({ by: 'user' }, member)).data).toMatchObject([{ user_id: member.accountId, credits: 0.5 }]);
    expect((await ask({ by: 'user', user_id: api.owner.accountId }, member)).data).toEqual([]);
    expect((await ask({ by: 'user', user_id: stranger.accountId })).data).toEqual([]);
    expect((await ask({ by: 'model' }, stranger)).data).toMatchObject([{ model: 'a/one', credits: 90 }]);
    expect((await ask({ by: 'user', model: 'b/two' })).data).toMatchObject([{ user_id: api.owner.accountId, credits: 1 }]);
    expect((await ask({ by: 'model', project_id: projectId })).data).toMatchObject([{ model: 'a/one', credits: 2.5 }]);

    const first = await ask({ by: 'model', limit: 1 });
    expect([first.data.length, first.has_more]).toEqual([1, true]);
    const second = await ask({ by: 'model', limit: 1, cursor: first.next_cursor });
    expect(second).toMatchObject({ data: [{ model: 'b/two' }], has_more: false, total: { credits: 4 } });
    // The last of a page may be gone when the next is read.
    await run(api.owner, 'c/three', 100_000);
    const again = await ask({ by: 'model', limit: 1, cursor: first.next_cursor });
    expect(again).toMatchObject({ data: [{ model: 'b/two' }], has_more: true });
    for (const table of ['usage_calls', 'usage_days']) await store.query(`DELETE FROM ${table} WHERE model = 'b/two'`);
    const last = await ask({ by: 'model', limit: 1, cursor: again.next_cursor });
    expect(last).toMatchObject({ data: [{ model: 'c/three' }], has_more: false });
    const old = await ask({ start_date: today - 10 * 86_400, end_date: today - 86_400 });
    expect(old).toMatchObject({ data: [], total: { calls: 0, credits: 0 } });
    const wrong = await api.call('usage.breakdown', { by: 'weather' });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'by']);
  });
});
