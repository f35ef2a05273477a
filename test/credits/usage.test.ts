import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import type { TaskEvent } from '../../src/rules/events/task-event.ts';
import { insertSession } from '../../src/store/credits/usage-ledger.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json, type Owner } from '../support/http/api-under-test.ts';
import { someRequestId } from '../support/http/matchers.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const usage = { input: 1, output: 1, cached: 0 };
const answer = (cost: number): TaskEvent => ({
  type: 'model_finished',
  step: 1,
  parts: [{ type: 'text', text: 'x' }],
  usage,
  cost,
});

/** Every record of the account, page by page, newest first. */
async function listAll(api: ApiUnderTest, limit: number, key: string): Promise<Json[]> {
  const records: Json[] = [];
  for (let cursor: unknown; ; ) {
    const { status, body } = await api.call('usage.list', { limit, ...(cursor !== undefined && { cursor }) }, { key });
    expect(status).toBe(200);
    records.push(...body.data);
    if (!body.has_more) return records;
    cursor = body.next_cursor;
  }
}

async function totalOf(api: ApiUnderTest, key: string): Promise<number> {
  const { body } = await api.call('usage.availableCredits', {}, { key });
  return Number((body.data as unknown as Json).total_credits);
}

function sum(records: readonly Json[]): number {
  return records.reduce((total, { credits }) => total + Number(credits), 0);
}

describeStores('usage', (store) => {
  it('bills nothing for a message that nobody could work on, and says so, but bills the next one', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('Compare three laptops');
    const said: TaskEvent = { type: 'assistant_message', text: 'No model.' };
    const unanswered: TaskEvent = { type: 'stopped', by: 'agent', isUnanswered: true };
    await (await WorkerHand.take(store.database, taskId)).log(answer(0), said, unanswered);
    expect(await listAll(api, 10, api.owner.key)).not.toContainEqual(expect.objectContaining({ type: 'cost' }));
    const { body: detail } = await api.call('task.detail', { task_id: taskId });
    expect(detail.task).toMatchObject({ status: 'stopped' });
    expect(detail.task).not.toHaveProperty('credit_usage');
    const { body } = await api.call('task.listMessages', { task_id: taskId });
    expect(body.messages[0]).toMatchObject({
      status_update: { agent_status: 'stopped', status_detail: { reason: 'no_model' } },
    });
    await api.call('task.sendMessage', { task_id: taskId, message: { content: 'again' } });
    await (await WorkerHand.take(store.database, taskId)).finish('Done.');
    expect(await listAll(api, 10, api.owner.key)).toContainEqual(expect.objectContaining({ type: 'cost', credits: -1 }));
  });

  it('bills what came before a confirmation once', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const taskId = await api.createTask('x', { interactive_mode: true });
    const asking = await WorkerHand.take(store.database, taskId);
    const shown = { callId: 'c', tool: 'run', brief: 'Run', action: 'run', param: 'x' };
    const action = { kind: 'terminalExecute', schema: {} };
    await asking.log(answer(5_000_000), { type: 'action_prepared', ...shown, params: {} });
    await asking.log(
      { type: 'action_prepared', ...shown, params: {} },
      { type: 'waiting', callId: 'c', question: 'Run?', action },
    );
    const { body } = await api.call('task.listMessages', { task_id: taskId });
    const [newest = {}] = body.messages;
    const { status_detail: detail } = newest.status_update as { status_detail: Json };
    const confirmed = { task_id: taskId, event_id: detail.waiting_for_event_id, input: { accept: true } };
    expect((await api.call('task.confirmAction', confirmed)).status).toBe(200);
    await (await WorkerHand.take(store.database, taskId)).finish('Done.');
    const costs = (await listAll(api, 10, api.owner.key)).filter(({ type }) => type === 'cost');
    expect(costs.map(({ credits }) => credits)).toEqual([-1, -5]);
  });

  it('reports the cost of each session, the refund of a failed one, and the balance', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { key } = api.owner;
    const [finished, failed] = [await api.createTask(), await api.createTask()];
    const none = await api.call('task.detail', { task_id: finished });
    expect(none.body.task).not.toHaveProperty('credit_usage');
    const worker = await WorkerHand.take(store.database, finished);
    await worker.log(answer(1_500_000));
    await worker.finish('Done.');
    await api.call('task.sendMessage', { task_id: finished, message: { content: 'More.' } });
    await (await WorkerHand.take(store.database, finished)).finish('Done again.');
    await api.call('task.sendMessage', { task_id: failed, message: { content: 'More.' } });
    await api.call('task.stop', { task_id: failed });
    await api.call('task.sendMessage', { task_id: failed, message: { content: 'More.' } });
    const failing = await WorkerHand.take(store.database, failed);
    await failing.log(answer(7_000_000), { type: 'error', errorType: 'x', text: 'x' }, { type: 'failed' });
    await api.call('task.update', { task_id: finished, title: 'Another title' });

    const { body } = await api.call('task.detail', { task_id: finished });
    expect(body.task).toMatchObject({ credit_usage: 3 });
    const listed = await api.call('task.list');
    expect(listed.body.data.map(({ credit_usage: credits }) => credits)).toEqual([1, 3]);
    const records = await listAll(api, 2, key);
    const shown = records.filter(({ type }) => type !== 'grant');
    const reported = shown.map(({ task_id: id, type, credits }) => `${String(id)} ${String(type)} ${String(credits)}`);
    const known = (id: string, ...entries: string[]) => entries.map((entry) => `${id} ${entry}`);
    expect(new Set(reported)).toEqual(
      new Set([...known(finished, 'cost -2', 'cost -1'), ...known(failed, 'cost -1', 'cost -7', 'refund 7')]),
    );
    expect(reported).toHaveLength(5);
    expect(shown.find(({ task_id: id }) => id === finished)).toEqual({
      task_id: finished,
      title: 'Another title',
      type: 'cost',
      credits: expect.any(Number) as unknown,
      created_at: expect.any(Number) as unknown,
      collaborate_infos: [],
    });
    expect(sum(records)).toBe(4300 - 4);
    await api.call('task.update', { task_id: finished, share_visibility: 'team' });
    const shared = await listAll(api, 100, key);
    const user = { user_id: api.owner.accountId, user_name: api.owner.accountId.toLowerCase() };
    expect(shared.filter(({ task_id: id }) => id === finished).map(({ collaborate_infos: infos }) => infos)).toEqual(
      expect.arrayContaining([[{ ...user, credits: -1 }], [{ ...user, credits: -2 }]]),
    );
    expect(shared.filter(({ task_id: id }) => id === failed).map(({ collaborate_infos: infos }) => infos)).toEqual([[], [], []]);
    await api.call('task.delete', { task_id: finished });
    const after = await listAll(api, 100, key);
    expect(after.filter(({ title }) => title === 'Deleted conversation')).toHaveLength(2);
    expect(sum(after)).toBe(await totalOf(api, key));
  });

  it('has credits of every kind that a plan grants, and those granted by the operator', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const credits = await api.call('usage.availableCredits');
    const midnight = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400;
    expect(credits.body).toEqual({
      ok: true,
      request_id: someRequestId,
      data: {
        total_credits: 4300,
        free_credits: 0,
        periodic_credits: 4000,
        addon_credits: 0,
        pro_monthly_credits: 4000,
        event_credits: 0,
        refresh_credits: 300,
        max_refresh_credits: 300,
        next_refresh_time: midnight,
        refresh_interval: 'daily',
        storage: { bytes: 0, files: 0, max_bytes: 20 * 1024 ** 3, max_files: 1_000_000 },
      },
    });
    const grant = (body: Json) => api.http.inject({ method: 'POST', path: '/admin/credits.grant', body });
    expect((await grant({ credits: 50, title: 'Welcome' })).body).toMatchObject({ ok: true, credits: 50 });
    expect((await grant({ credits: -310 })).status).toBe(200);
    for (const wrong of [0, 1.5, 2_000_000_000, '5']) expect((await grant({ credits: wrong })).status).toBe(400);
    const left = await api.call('usage.availableCredits');
    expect(left.body.data).toMatchObject({ total_credits: 4040, refresh_credits: 0, periodic_credits: 3990, addon_credits: 50 });
    const records = await listAll(api, 100, api.owner.key);
    expect(records.slice(0, 2)).toMatchObject([
      { type: 'cost', credits: -310, task_id: '', title: 'Deduction' },
      { type: 'grant', credits: 50, task_id: '', title: 'Welcome' },
    ]);
    const team = await addOwner(store.database, 'team');
    expect((await api.call('usage.availableCredits', {}, { key: team.key })).body.data).toMatchObject({
      refresh_credits: 0,
      max_refresh_credits: 0,
      next_refresh_time: 0,
      refresh_interval: '',
    });
    expect(await listAll(api, 100, team.key)).toMatchObject([{ type: 'grant', credits: 8000 }]);
  });

  it("shows an account nothing of another, and rejects another account's cursor", async () => {
    await using api = await ApiUnderTest.start(store.database);
    const stranger = await addOwner(store.database);
    const page = await api.call('usage.list', { limit: 1 });
    const theirs = await api.call('usage.list', { limit: 1, cursor: page.body.next_cursor }, { key: stranger.key });
    expect([theirs.status, theirs.body.error.code]).toEqual([400, 'invalid_argument']);
    expect((await listAll(api, 100, stranger.key)).every(({ type }) => type === 'grant')).toBe(true);
    for (const limit of [0, 101]) expect((await api.call('usage.list', { limit })).status).toBe(400);
  });

  it('of a team is shown by day and by member: all of it to owner and admins, only their own to members', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const [admin, member, stranger] = [
      await addOwner(store.database),
      await addOwner(store.database),
      await addOwner(store.database),
    ];
    const now = Date.now();
    await store.query("INSERT INTO teams (team_id, name, created_at) VALUES ('t1', 'Team', 1)");
    const people: [Owner, string][] = [
      [api.owner, 'owner'],
      [admin, 'admin'],
      [member, 'member'],
    ];
    for (const [{ accountId }, role] of people)
      await store.query(
        'INSERT INTO team_members (account_id, team_id, role, joined_at) VALUES (?, ?, ?, 1)',
        accountId,
        't1',
        role,
      );
    const day = 86_400_000;
    const spend = async ({ accountId }: Owner, credits: number, daysAgo: number, isRefunded = false) => {
      const taskId = newId(now);
      const bill = { accountId, taskId, session: 3, cost: credits * 1_000_000, now: now - daysAgo * day };
      const { sql, params } = insertSession(bill, isRefunded);
      await store.query(sql, ...params);
    };
    await spend(api.owner, 5, 0);
    await spend(admin, 7, 0);
    await spend(admin, 1, 2);
    await spend(member, 2, 2);
    await spend(member, 90, 1, true);
    await spend(member, 50, 40);
    await spend(stranger, 1000, 0);
    const today = Math.floor(now / day) * 86_400;
    const ask = async (name: string, input: Json, { key }: Owner) => (await api.call(name, input, { key })).body.data;
    const whole = [
      { date: today - 2 * 86_400, credits: 3 },
      { date: today - 86_400, credits: 0 },
      { date: today, credits: 12 },
    ];
    for (const person of [api.owner, admin]) expect(await ask('usage.teamStatistic', {}, person)).toEqual(whole);
    expect(await ask('usage.teamStatistic', {}, member)).toEqual([
      { date: today - 2 * 86_400, credits: 2 },
      { date: today - 86_400, credits: 0 },
    ]);
    const from = (today * 1000 - 41 * day) / 1000;
    const old = await ask('usage.teamStatistic', { start_date: from, end_date: from + 3 * 86_400 }, admin);
    expect(old).toEqual([{ date: today - 40 * 86_400, credits: 50 }]);
    const rows = await ask('usage.teamLog', {}, admin);
    expect(rows.map(({ user_id: id, task_count: tasks, credits }) => [id, tasks, credits])).toEqual(
      [
        [api.owner.accountId, 1, 5],
        [admin.accountId, 2, 8],
        [member.accountId, 2, 2],
      ].toSorted((a, b) => Number(b[1]) - Number(a[1]) || (String(a[0]) < String(b[0]) ? 1 : -1)),
    );
    const email = `${member.accountId}@example.com`.toLowerCase();
    expect(await ask('usage.teamLog', {}, member)).toEqual([
      { user_id: member.accountId, user_name: email.split('@')[0], email, task_count: 2, credits: 2 },
    ]);
    const pages: unknown[] = [];
    for (let cursor: unknown; ; ) {
      const query = { limit: 1, sort_by: 'credits', is_asc: true, ...(cursor !== undefined && { cursor }) };
      const { body } = await api.call('usage.teamLog', query, { key: admin.key });
      pages.push(...body.data.map(({ credits }) => credits));
      if (!body.has_more) break;
      cursor = body.next_cursor;
    }
    expect(pages).toEqual([2, 5, 8]);
    for (const name of ['usage.teamStatistic', 'usage.teamLog']) {
      const refused = await api.call(name, {}, { key: stranger.key });
      expect([refused.status, refused.body.error]).toEqual([
        403,
        { code: 'permission_denied', message: 'this API is only available for team users' },
      ]);
      for (const wrong of [{ start_date: 'x' }, { start_date: today + 86_400 }, { start_date: 0 }])
        expect((await api.call(name, wrong)).status).toBe(400);
    }
    const lone = await addOwner(store.database, 'team');
    expect(await ask('usage.teamLog', {}, lone)).toMatchObject([{ user_id: lone.accountId, credits: 0 }]);
  });

  it('is returned without an envelope at the URL of old clients', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const ask = (headers: Record<string, string>) =>
      fetch(`${api.http.url()}/openapi.v2.OpenapiV2Service/GetAvailableCredits`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      });
    for (const header of ['API_KEY', 'x-manus-api-key', 'x-service-api-key']) {
      const reported = await ask({ [header]: api.owner.key });
      expect([reported.status, await reported.json()]).toMatchObject([200, { total_credits: 4300, refresh_interval: 'daily' }]);
    }
    const refused = await ask({});
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: 16, details: [] }]);
  });

  it('rejects new work without credits only if they are enforced, and finishes accepted work', async () => {
    await using free = await ApiUnderTest.start(store.database);
    await using strict = await ApiUnderTest.start(store.database, { owner: free.owner, isCreditEnforced: true });
    const create = (api: ApiUnderTest, key?: string) =>
      api.call('task.create', { message: { content: 'x' } }, { ...(key && { headers: { 'idempotency-key': key } }) });
    const before = await create(strict, 'k1');
    expect(before.status).toBe(200);
    const spent = {
      method: 'POST',
      path: '/admin/credits.grant',
      body: { credits: -4300 },
      account: free.owner.accountId,
    } as const;
    await strict.http.inject(spent);
    const refused = await create(strict, 'k2');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'resource_exhausted']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const follow = { task_id: before.body.task_id, message: { content: 'x' } };
    expect((await strict.call('task.sendMessage', follow)).status).toBe(429);
    expect((await create(strict, 'k1')).body.task_id).toBe(before.body.task_id);
    expect((await create(free)).status).toBe(200);
    await strict.http.inject({ ...spent, body: { credits: 1 } });
    expect((await create(strict, 'k2')).status).toBe(200);
  });
});
