import { describe, expect, it } from 'vitest';
import { createErrand } from '../../packages/client/src/index.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { LocalService } from '../support/service/local-service.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';
import { WebhooksUnderTest } from '../webhooks/webhooks-under-test.ts';

const list = async (api: ApiUnderTest, query: Json) => (await api.call('task.list', query)).body.data.map(({ id }) => id);

describeStores('the external user of a task', (store) => {
  it('is set by whoever creates it, shown wherever the task is, and finds it page by page', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const user = 'kunde-ü/42';
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const metadata = { odd: count % 2 === 1 };
      const id = await api.createTask(`task ${count}`, { external_user_id: count === 2 ? 'another' : user, metadata });
      if (count !== 2) ids.unshift(id);
    }
    const [newest = ''] = ids;
    const { body } = await api.call('task.detail', { task_id: newest });
    expect(body.task.external_user_id).toBe(user);
    expect((await api.call('task.list')).body.data[0]?.external_user_id).toBe(user);
    const found: unknown[] = [];
    for (let cursor: Json = {}; ; ) {
      const page = (await api.call('task.list', { limit: '3', external_user_id: user, ...cursor })).body;
      found.push(...page.data.map(({ id }) => id));
      if (page.has_more !== true) break;
      cursor = { cursor: page.next_cursor };
    }
    expect(found).toEqual(ids);
    expect(await list(api, { external_user_id: user, order: 'asc' })).toEqual(ids.toReversed());
    expect(await list(api, { external_user_id: user, 'metadata.odd': 'true' })).toEqual([ids[0 + 1], ids[2]]);
    expect(await list(api, { external_user_id: user, query: 'task 3' })).toEqual([ids[1]]);
    expect(await list(api, { external_user_id: user, status: 'stopped' })).toEqual([]);
    for (const none of ['Kunde-ü/42', 'kunde', '\0', 'x'.repeat(129)])
      expect(await list(api, { external_user_id: none })).toEqual([]);
    const stranger = (await addOwner(store.database)).key;
    expect((await api.call('task.list', { external_user_id: user }, { key: stranger })).body.data).toEqual([]);
    const first = await api.call('task.list', { limit: '1', external_user_id: user });
    const other = { limit: '1', external_user_id: 'another', cursor: first.body.next_cursor };
    expect((await api.call('task.list', other)).status).toBe(400);
  });

  it('is absent where none was given, and refused beyond 128 characters', async () => {
    await using api = await ApiUnderTest.start(store.database);
    for (const none of [{}, { external_user_id: null }, { external_user_id: '' }]) {
      const task_id = await api.createTask('x', none);
      expect((await api.call('task.detail', { task_id })).body.task).not.toHaveProperty('external_user_id');
    }
    const longest = '💡'.repeat(128);
    expect(await list(api, { external_user_id: longest })).toEqual([]);
    const id = await api.createTask('x', { external_user_id: longest });
    expect(await list(api, { external_user_id: longest })).toEqual([id]);
    for (const wrong of [`${longest}x`, 7, 'a\0b']) {
      const { status, body } = await api.call('task.create', { message: { content: 'x' }, external_user_id: wrong });
      expect([status, body.error]).toEqual([400, expect.objectContaining({ param: 'external_user_id' })]);
    }
  });

  it('comes with the events that webhooks receive', async () => {
    await using bed = await WebhooksUnderTest.start(store.database);
    await bed.register();
    const taskId = await bed.api.createTask('x', { external_user_id: 'u1' });
    await (await WorkerHand.take(store.database, taskId)).finish('done');
    for (const { event } of await bed.receive(2)) expect(event.task_detail).toMatchObject({ external_user_id: 'u1' });
  });
});

describeStores('the query of task.list', (store) => {
  it('finds tasks by a part of their title, ignoring case, and by their id', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const create = (title: string) => api.createTask('needle in a message', { title });
    const [one, two, three] = [await create('Weekly report'), await create('100% of REPORTS_'), await create('Invoice')];
    expect(await list(api, { query: 'report' })).toEqual([two, one]);
    expect(await list(api, { query: 'REPORT', order: 'asc' })).toEqual([one, two]);
    expect(await list(api, { query: '0% of' })).toEqual([two]);
    expect(await list(api, { query: 's_' })).toEqual([two]);
    expect(await list(api, { query: three })).toEqual([three]);
    expect(await list(api, { query: 'report', status: 'running', limit: '1' })).toEqual([two]);
    expect(await list(api, { query: '' })).toEqual([three, two, one]);
    for (const none of ['needle', three.slice(1), 'week report', '\0', '\\'])
      expect(await list(api, { query: none })).toEqual([]);
    const tooLong = await api.call('task.list', { query: 'x'.repeat(201) });
    expect([tooLong.status, tooLong.body.error.param]).toEqual([400, 'query']);
    const page = await api.call('task.list', { query: 'report', limit: '1' });
    const { next_cursor: cursor } = page.body;
    expect((await api.call('task.list', { query: 'report', limit: '1', cursor })).body.data.map(({ id }) => id)).toEqual([one]);
    expect((await api.call('task.list', { query: 'invoice', limit: '1', cursor })).status).toBe(400);
    // Letters of other languages have cases too.
    await api.call('task.update', { task_id: one, title: 'Ärger mit Резюме' });
    expect(await list(api, { query: 'ärger MIT рЕЗЮМЕ' })).toEqual([one]);
  });
});

describe('clients', () => {
  it('create tasks for external users with metadata, and list them by it', async () => {
    const cli = new CliUnderTest();
    const service = await LocalService.start({ dataDir: cli.dataDir });
    const create = ['task', 'create', '--external-user', 'u7', '--metadata', 'order=a=1', '--metadata', 'team=blue', 'say hello'];
    const { task_id: id } = await cli.runJson(create);
    const ids = async (...options: string[]) =>
      ((await cli.runJson(['task', 'list', ...options])).data as Json[]).map((task) => task.id);
    expect(await ids('--external-user', 'u7', '--query', 'HELLO', '--metadata', 'order=a=1')).toEqual([id]);
    expect(await ids('--status', 'running,waiting,stopped,error')).toEqual([id]);
    for (const none of [
      ['--query', 'bye'],
      ['--metadata', 'order=b'],
      ['--external-user', 'u8'],
    ])
      expect(await ids(...none)).toEqual([]);
    expect(await cli.run(['task', 'list', '--metadata', 'order'])).toMatchObject({ code: 64 });

    const client = createErrand({ baseUrl: service.url, apiKey: service.apiKey });
    const query = { external_user_id: 'u7', query: 'hello', metadata: { team: 'blue' } };
    const { data } = await client.call('task.list', query);
    expect(data.map(({ external_user_id: user }) => user)).toEqual(['u7']);
    const wrong = client.call('task.list', { status: 'done' });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_argument', param: 'status' });
  });
});
