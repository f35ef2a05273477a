import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { someId, someNumber } from '../support/http/matchers.ts';

const unknownId = 'AAAAAAAAAAAAAAAAAAAAAA';
const daily = { name: 'Report', message: { content: 'Write the report.' }, cron: '0 9 * * *', time_zone: 'Europe/Berlin' };

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

describeStores('schedules', (store) => {
  const create = async (api: ApiUnderTest, input: Json) => {
    const { status, body } = await api.call('schedule.create', input);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.schedule as Json & { id: string };
  };

  describe('schedule.create', () => {
    it('returns the schedule with its defaults and its next run', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const schedule = await create(api, daily);
      expect(schedule).toEqual({
        ...{ id: someId, name: 'Report', status: 'active', cron: '0 9 * * *', interval_seconds: null, run_at: null },
        ...{ time_zone: 'Europe/Berlin', start_at: null, end_at: null, conversation: 'new', overlap: 'skip', catch_up: 'last' },
        ...{ message: { content: 'Write the report.' }, interactive_mode: false },
        ...{
          next_run_at: someNumber,
          last_run_at: null,
          last_outcome: null,
          runs: 0,
          created_at: someNumber,
          updated_at: someNumber,
        },
      });
      const { hour, minute } = Object.fromEntries(
        new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
          .formatToParts(Number(schedule.next_run_at) * 1000)
          .map(({ type, value }) => [type, value]),
      );
      expect([hour, minute]).toEqual(['09', '00']);
      expect(await store.query('SELECT id FROM tasks WHERE schedule_id IS NOT NULL')).toEqual([]);
    });

    it('keeps everything that its tasks are asked for', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const project = (await api.call('project.create', { name: 'P' })).body.project as Json;
      const asked = {
        ...{ project_id: project.id, agent_profile: 'manus-1.6-max', locale: 'de', interactive_mode: true },
        structured_output_schema: {
          type: 'object',
          properties: { text: { type: 'string' } },
          required: ['text'],
          additionalProperties: false,
        },
        metadata: { team: 'red' },
      };
      const times = { run_at: nowInSeconds() + 3600, start_at: nowInSeconds(), end_at: nowInSeconds() + 7200 };
      const policies = { conversation: 'same', overlap: 'queue', catch_up: 'all' };
      const schedule = await create(api, { name: 'Once', message: 'Hello', ...asked, ...times, ...policies });
      expect(schedule).toMatchObject({
        message: { content: 'Hello' },
        ...asked,
        ...times,
        ...policies,
        next_run_at: times.run_at,
      });
    });

    it('keeps the files of its message for as long as it exists', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const file = { type: 'file', filename: 'a.txt', file_data: 'data:text/plain;base64,aGk=' };
      const content = [{ type: 'text', text: 'Read it.' }, file];
      const { id, message } = await create(api, { ...daily, message: { content } });
      expect(message).toEqual({
        content: 'Read it.',
        attachments: [{ filename: 'a.txt', content_type: 'text/plain', size_bytes: 2 }],
      });
      const owners = () => store.query('SELECT owner FROM blob_refs');
      expect(await owners()).toEqual([{ owner: `schedule:${id}` }]);
      await api.call('schedule.update', { schedule_id: id, name: 'Other' });
      expect(await owners()).toEqual([{ owner: `schedule:${id}` }]);
      await api.call('schedule.update', { schedule_id: id, message: 'No file.' });
      expect(await owners()).toEqual([]);
    });

    it.each<[field: string, input: Json]>([
      ['cron', { cron: '0 0 30 2 *' }],
      ['cron', { cron: 'every day' }],
      ['cron', { cron: undefined }],
      ['cron', { cron: 7 }],
      ['interval_seconds', { interval_seconds: 60 }],
      ['interval_seconds', { cron: undefined, interval_seconds: 0 }],
      ['interval_seconds', { cron: undefined, interval_seconds: 1.5 }],
      ['run_at', { cron: undefined, run_at: 1 }],
      ['run_at', { cron: undefined, run_at: 'tomorrow' }],
      ['run_at', { run_at: 4_000_000_000 }],
      ['time_zone', { time_zone: 'Mars/Olympus' }],
      ['end_at', { end_at: 1 }],
      ['end_at', { start_at: 4_000_000_000, end_at: 3_900_000_000 }],
      ['name', { name: '' }],
      ['name', { name: 'x'.repeat(101) }],
      ['name', { name: undefined }],
      ['message', { message: undefined }],
      ['message.content', { message: { content: ' ' } }],
      ['message.connectors', { message: { content: 'x', connectors: Array.from({ length: 101 }, (_, index) => `c${index}`) } }],
      ['agent_profile', { agent_profile: 'other-1' }],
      ['locale', { locale: '??' }],
      ['structured_output_schema', { structured_output_schema: { type: 'nothing' } }],
      ['conversation', { conversation: 'old' }],
      ['overlap', { overlap: 'maybe' }],
      ['catch_up', { catch_up: 'some' }],
      ['metadata', { metadata: { 'a b': 'x' } }],
    ])('refuses a wrong %s with 400, and makes nothing: %j', async (field, input) => {
      await using api = await ApiUnderTest.start(store.database);
      const { status, body } = await api.call('schedule.create', { ...daily, ...input });
      expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_argument', param: field })]);
      expect(await store.query('SELECT id FROM schedules')).toEqual([]);
    });

    it('answers 404 for a project of somebody else', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const { key } = await addOwner(store.database);
      const project = (await api.call('project.create', { name: 'P' })).body.project as Json;
      expect((await api.call('schedule.create', { ...daily, project_id: project.id }, { key })).status).toBe(404);
    });

    it('makes one schedule for an Idempotency-Key', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const headers = { 'idempotency-key': 'once' };
      const [one, other] = [
        await api.call('schedule.create', daily, { headers }),
        await api.call('schedule.create', daily, { headers }),
      ];
      expect(other.body.schedule).toEqual(one.body.schedule);
      expect(await store.query('SELECT id FROM schedules')).toHaveLength(1);
    });
  });

  it('are listed newest first, page by page, and only to their owner', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { key } = await addOwner(store.database);
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.unshift((await create(api, { ...daily, name })).id);
    const first = (await api.call('schedule.list', { limit: 2 })).body;
    const second = (await api.call('schedule.list', { limit: 2, cursor: first.next_cursor })).body;
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect((await api.call('schedule.list', {}, { key })).body.data).toEqual([]);
  });

  it('of others and unknown ones are answered alike', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { key } = await addOwner(store.database);
    const { id } = await create(api, daily);
    for (const verb of ['detail', 'update', 'delete', 'runNow', 'runs']) {
      for (const schedule_id of [id, unknownId, 'x']) {
        const { status, body } = await api.call(`schedule.${verb}`, { schedule_id }, { key });
        expect([verb, status, body.error.message]).toEqual([verb, 404, 'schedule not found']);
      }
    }
  });

  it('show their next ten times', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { id, next_run_at: next } = await create(api, { ...daily, cron: undefined, interval_seconds: 60 });
    const { schedule } = (await api.call('schedule.detail', { schedule_id: id })).body;
    const times = Array.from({ length: 10 }, (_, index) => Number(next) + 60 * index);
    expect(schedule).toMatchObject({ id, next_runs: times });
    const once = await create(api, { ...daily, cron: undefined, run_at: 4_000_000_000 });
    const detail = (await api.call('schedule.detail', { schedule_id: once.id })).body.schedule;
    expect(detail).toMatchObject({ next_runs: [4_000_000_000] });
  });

  it('are previewed without being made', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { body } = await api.call('schedule.preview', { cron: '0 0 1 1 *', start_at: 4_000_000_000 });
    expect(body.next_runs).toHaveLength(10);
    expect((body.next_runs as number[])[0]).toBe(Date.UTC(2097, 0, 1) / 1000);
    expect((await api.call('schedule.preview', { cron: '0 0 31 4 *' })).body.error).toMatchObject({ param: 'cron' });
    expect(await store.query('SELECT id FROM schedules')).toEqual([]);
  });

  describe('schedule.update', () => {
    it('changes only what it names', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const made = await create(api, { ...daily, metadata: { a: '1' }, locale: 'de', end_at: 4_000_000_000 });
      const update = async (input: Json) =>
        (await api.call('schedule.update', { schedule_id: made.id, ...input })).body.schedule as Json;
      const { updated_at, ...same } = made;
      expect(updated_at).toBe(made.updated_at);
      expect(await update({})).toMatchObject(same);
      expect(await update({ name: 'Other', overlap: 'queue' })).toMatchObject({ ...same, name: 'Other', overlap: 'queue' });
      expect(await update({ metadata: { a: null, b: 2 }, message: 'Hi' })).toMatchObject({
        metadata: { b: '2' },
        message: { content: 'Hi' },
      });
      const changed = await update({ interval_seconds: 30, locale: null, end_at: null });
      expect(changed).toMatchObject({ cron: null, interval_seconds: 30, end_at: null, name: 'Other' });
      expect(changed).not.toHaveProperty('locale');
      expect(Number(changed.next_run_at) - nowInSeconds()).toBeLessThanOrEqual(30);
    });

    it('pauses, resumes and ends it', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const { id } = await create(api, daily);
      const set = async (status: string) =>
        (await api.call('schedule.update', { schedule_id: id, status })).body.schedule as Json;
      expect(await set('paused')).toMatchObject({ status: 'paused', next_run_at: null });
      expect((await api.call('schedule.detail', { schedule_id: id })).body.schedule).toMatchObject({ next_runs: [] });
      expect(await set('active')).toMatchObject({ status: 'active', next_run_at: someNumber });
      expect(await set('ended')).toMatchObject({ status: 'ended', next_run_at: null });
    });

    it('refuses what leaves no run, and changes nothing', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const made = await create(api, daily);
      for (const [param, input] of [
        ['cron', { cron: '0 0 30 2 *', name: 'Other' }],
        ['end_at', { end_at: 1, name: 'Other' }],
        ['time_zone', { time_zone: 'X/Y' }],
        ['status', { status: 'other' }],
        ['interval_seconds', { cron: '* * * * *', interval_seconds: 5 }],
        ['name', { name: '' }],
      ] as const) {
        const { status, body } = await api.call('schedule.update', { schedule_id: made.id, ...input });
        expect([status, body.error.param]).toEqual([400, param]);
      }
      expect((await api.call('schedule.detail', { schedule_id: made.id })).body.schedule).toMatchObject(made);
    });
  });

  it('are deleted with their history, but not with their tasks', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { id } = await create(api, daily);
    const { task_id: taskId } = (await api.call('schedule.runNow', { schedule_id: id })).body;
    const deleted = await api.call('schedule.delete', { schedule_id: id });
    expect([deleted.status, deleted.body]).toMatchObject([200, { id, deleted: true }]);
    expect((await api.call('schedule.detail', { schedule_id: id })).status).toBe(404);
    expect(await store.query('SELECT id FROM schedule_runs')).toEqual([]);
    expect((await api.call('task.detail', { task_id: taskId })).body.task).toMatchObject({ schedule_id: id });
  });

  it('are in the security record of their account when they are made and deleted', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const { id } = await create(api, daily);
    await api.call('schedule.delete', { schedule_id: id });
    const entry = { actor: `api_key:${api.owner.keyId}`, detail: { schedule_id: id, name: 'Report' } };
    const { body } = await api.http.inject({ method: 'GET', path: '/admin/audit.list', account: api.owner.accountId });
    const recorded = (body.data as Json[]).filter(({ kind }) => String(kind).startsWith('schedule_'));
    expect(recorded).toHaveLength(2);
    for (const kind of ['schedule_created', 'schedule_deleted'])
      expect(recorded).toContainEqual(expect.objectContaining({ kind, ...entry }));
  });

  describe('schedule.runNow', () => {
    it('starts a task with everything that was asked for', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const asked = { metadata: { a: '1' }, locale: 'de', agent_profile: 'service-1.6-max' };
      const { id } = await create(api, { ...daily, ...asked });
      const { body } = await api.call('schedule.runNow', { schedule_id: id });
      expect(body).toMatchObject({
        task_id: someId,
        run: {
          id: someId,
          due_at: someNumber,
          started_at: someNumber,
          outcome: 'started',
          task_id: body.task_id,
          credit_usage: 0,
        },
      });
      const { task } = (await api.call('task.detail', { task_id: body.task_id })).body;
      expect(task).toMatchObject({ title: 'Report', schedule_id: id, metadata: { a: '1' }, agent_profile: 'service-1.6-max' });
      expect(task.created_by_api_key).toMatchObject({ id: api.owner.keyId });
      const [message] = (await api.call('task.listMessages', { task_id: body.task_id, order: 'asc' })).body.messages;
      expect(message).toMatchObject({ type: 'user_message', user_message: { content: 'Write the report.' } });
      expect((await api.call('schedule.runs', { schedule_id: id })).body.data).toEqual([body.run]);
      const detail = (await api.call('schedule.detail', { schedule_id: id })).body.schedule;
      expect(detail).toMatchObject({ runs: 1, last_run_at: someNumber, last_outcome: 'started', task_id: body.task_id });
      expect((await api.call('task.list', { schedule_id: id })).body.data).toMatchObject([{ id: body.task_id }]);
      expect((await api.call('task.list', { schedule_id: unknownId })).body.data).toEqual([]);
    });

    it('starts one task for an Idempotency-Key', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const { id } = await create(api, daily);
      const headers = { 'idempotency-key': 'now' };
      const [one, other] = await Promise.all([0, 1].map(() => api.call('schedule.runNow', { schedule_id: id }, { headers })));
      expect(other?.body.task_id).toBe(one?.body.task_id);
      expect(await store.query('SELECT id FROM tasks WHERE schedule_id IS NOT NULL')).toHaveLength(1);
    });

    it('continues the same conversation if the schedule has one, and starts another once that is deleted', async () => {
      await using api = await ApiUnderTest.start(store.database);
      const { id } = await create(api, { ...daily, conversation: 'same' });
      const run = async () => (await api.call('schedule.runNow', { schedule_id: id })).body.task_id;
      const first = await run();
      expect(await run()).toBe(first);
      const { messages } = (await api.call('task.listMessages', { task_id: first })).body;
      expect(messages.filter(({ type }) => type === 'user_message')).toHaveLength(2);
      await api.call('task.delete', { task_id: first });
      expect(await run()).not.toBe(first);
    });
  });
});
