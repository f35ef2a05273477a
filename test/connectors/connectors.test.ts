import { describe, expect, it } from 'vitest';
import type { ConnectorService } from '../../src/api/contract/services/connector-service.ts';
import { idleConnectors } from '../support/connectors/idle-connectors.ts';
import { describeStores } from '../support/db/databases.ts';
import { noteCheck } from '../../src/store/connectors/connectors.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

const tool = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' }, isReadOnly: true };
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) as string;

type FirstLook = Awaited<ReturnType<ConnectorService['listTools']>>;

function connectorService(isThere = { value: true }): ConnectorService {
  const look = () => Promise.resolve(isThere.value ? { tools: [tool] } : { problem: 'nobody answers' });
  return {
    ...idleConnectors,
    listTools: look,
    check: look,
    seal: (headers) => (Object.keys(headers).length === 0 ? null : 'sealed'),
  };
}

describeStores('connectors', (store) => {
  const message = { content: 'Do it.' };
  const url = 'https://mcp.example/mcp';
  const add = async (api: ApiUnderTest, more: Json = {}) =>
    (await api.call('connector.create', { name: 'Garden', url, headers: { Authorization: 'Bearer canary' }, ...more })).body
      .connector as Json;

  it('are connected, listed without their keys, checked and removed', async () => {
    const isThere = { value: true };
    await using api = await ApiUnderTest.start(store.database, { connectors: connectorService(isThere) });
    const stranger = await addOwner(store.database);
    const connector = await add(api);
    expect(connector).toMatchObject({
      id: uuid,
      name: 'Garden',
      type: 'mcp',
      description: '',
      category: 'other',
      tools: ['add'],
      status: 'connected',
    });
    expect(JSON.stringify(connector)).not.toContain('canary');
    expect((await api.call('connector.list')).body.data).toEqual([connector]);
    expect((await api.call('connector.list', {}, { key: stranger.key })).body.data).toEqual([]);
    isThere.value = false;
    const checked = (await api.call('connector.check', { connector_id: connector.id })).body.connector;
    expect(checked).toMatchObject({ status: 'failing', problem: 'nobody answers', tools: ['add'] });
    expect((await api.call('connector.delete', { connector_id: connector.id }, { key: stranger.key })).status).toBe(404);
    expect((await api.call('connector.delete', { connector_id: connector.id })).body).toMatchObject({ deleted: true });
    expect((await api.call('connector.list')).body.data).toEqual([]);
  });

  it('are chosen by the message, else the project; a follow-up replaces, clears or keeps them', async () => {
    await using api = await ApiUnderTest.start(store.database, { connectors: connectorService() });
    const [a, b] = [(await add(api)).id, (await add(api)).id];
    const project = (await api.call('project.create', { name: 'P', connectors: [a] })).body.project as Json;
    const chosen = async (taskId: unknown) => {
      const rows = await store.query(
        "SELECT body FROM events WHERE task_id = ? AND type = 'equipped' ORDER BY seq",
        String(taskId),
      );
      return rows.map(({ body }) => (JSON.parse(String(body)) as { connectors?: unknown }).connectors);
    };
    const plain = await api.createTask('x', { message: { ...message, connectors: [a] } });
    const inside = await api.createTask('x', { project_id: project.id });
    const both = await api.createTask('x', { project_id: project.id, message: { ...message, connectors: [b] } });
    expect([await chosen(plain), await chosen(inside), await chosen(both)]).toEqual([[[a]], [[a]], [[b]]]);
    const send = (more: Json, connectors?: unknown[]) =>
      api.call('task.sendMessage', { task_id: plain, message: { ...message, ...(connectors && { connectors }) }, ...more });
    await send({});
    await send({}, []);
    expect(await chosen(plain)).toEqual([[a]]);
    await send({}, [b]);
    await send({ clear_connectors: true });
    expect(await chosen(plain)).toEqual([[a], [b], []]);
    expect((await send({ clear_connectors: true }, [a])).status).toBe(400);
    expect((await send({}, ['9444d960-ab7e-450f-9cb9-b9467fb0adda'])).body.error.message).toBe(
      'message.connectors: connector not installed',
    );
  });

  /** Servers whose tools are listed when `answer` is resolved. */
  const slowService = (clock: TestClock) => {
    const [asked, answer, noted] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<FirstLook>(),
      Promise.withResolvers<void>(),
    ];
    const connectors: ConnectorService = {
      ...connectorService(),
      listTools: () => {
        asked.resolve();
        return answer.promise;
      },
      noteLater: (key, note) =>
        void note
          .then((known) => store.database.run(noteCheck, { ...key, now: clock.now(), ...known, isFirst: true }))
          .then(() => noted.resolve(), noted.reject),
    };
    return { connectors, asked: asked.promise, answer: answer.resolve, noted: noted.promise };
  };

  it.each([
    ['are connected once they have', { tools: [tool] }, {}, { status: 'connected', problem: null, tools: ['add'] }],
    ['want a sign-in then', { signIn: 'needed' }, { headers: {} }, { status: 'needs_sign_in', tools: [] }],
    ['say why they failed', { problem: 'nobody answers' }, {}, { status: 'failing', problem: 'nobody answers' }],
    [
      'say that nobody signs in there',
      { tools: [tool] },
      { oauth_client_id: 'me' },
      { problem: 'nobody signs in at this server' },
    ],
  ] as const)('that have not answered after five seconds are connecting, and %s', async (_, look, more, expected) => {
    const clock = new TestClock(Date.now());
    const { connectors, asked, answer, noted } = slowService(clock);
    await using api = await ApiUnderTest.start(store.database, { connectors, clock });
    const adding = add(api, more);
    await asked;
    await clock.advance(5000);
    const connector = await adding;
    expect(connector).toMatchObject({ status: 'connecting', problem: null, tools: [] });
    expect((await api.call('connector.list')).body.data).toEqual([connector]);
    answer(look);
    await noted;
    expect((await api.call('connector.list')).body.data).toEqual([expect.objectContaining(expected)]);
  });

  it('keep what a check has found before the first look ends', async () => {
    const clock = new TestClock(Date.now());
    const { connectors, asked, answer, noted } = slowService(clock);
    await using api = await ApiUnderTest.start(store.database, { connectors, clock });
    const adding = add(api);
    await asked;
    await clock.advance(5000);
    const { id } = await adding;
    await api.call('connector.check', { connector_id: id });
    answer({ problem: 'too late' });
    await expect(noted).rejects.toThrow('connector not found');
    expect((await api.call('connector.list')).body.data).toMatchObject([{ status: 'connected', problem: null, tools: ['add'] }]);
  });

  it.each([false, true])('that are checked want a sign-in if their server does, also after a failure: %s', async (fails) => {
    const clock = new TestClock(Date.now());
    const { connectors, asked, answer, noted } = slowService(clock);
    const problem = 'its user has to sign in there';
    connectors.check = () => Promise.resolve({ problem, signIn: 'needed' });
    await using api = await ApiUnderTest.start(store.database, { connectors, clock });
    const adding = add(api, { headers: {} });
    await asked;
    await clock.advance(5000);
    const { id } = await adding;
    if (fails) {
      answer({ problem: 'nobody answers' });
      await noted;
    }
    const { connector } = (await api.call('connector.check', { connector_id: id })).body;
    expect(connector).toMatchObject({ status: 'needs_sign_in', problem });
    expect((await api.call('connector.check', { connector_id: id })).body.connector).toMatchObject({ status: 'needs_sign_in' });
  });

  it('stop connecting after a minute, whatever became of the process that was asking', async () => {
    const clock = new TestClock(Date.now());
    const { connectors, asked } = slowService(clock);
    await using api = await ApiUnderTest.start(store.database, { connectors, clock });
    const adding = add(api);
    await asked;
    await clock.advance(5000);
    await adding;
    await clock.advance(60_000);
    const [listed] = (await api.call('connector.list')).body.data;
    expect(listed).toMatchObject({ status: 'failing', problem: 'it did not list its tools within 60 seconds' });
    const checked = (await api.call('connector.check', { connector_id: listed?.id })).body.connector;
    expect(checked).toMatchObject({ status: 'connected', tools: ['add'] });
  });

  describe('refuse', () => {
    it.each([
      [{ url }, 'name is required'],
      [{ name: 'x' }, 'url is required'],
      [{ name: 'x', url: 'nonsense' }, 'url: must be the URL of an MCP server, such as https://mcp.example.com/mcp'],
      [{ name: 'x', url: 'file:///etc/passwd' }, 'url: must be the URL of an MCP server, such as https://mcp.example.com/mcp'],
      [
        { name: 'x', url: 'https://me:secret@mcp.example/' },
        'url: must be the URL of an MCP server, such as https://mcp.example.com/mcp',
      ],
      [{ name: 'x', url, headers: { Host: 'x' } }, 'headers: has a name that cannot be set'],
      [
        { name: 'x', url, headers: { 'X-A': 'a\r\nb' } },
        'headers: has a value that is no header, or longer than 4096 characters',
      ],
    ])('%j', async (input, problem) => {
      await using api = await ApiUnderTest.start(store.database, { connectors: connectorService() });
      const answer = await api.call('connector.create', input);
      expect([answer.status, answer.body.error.message]).toEqual([400, problem]);
    });

    it('a server that cannot be reached', async () => {
      await using api = await ApiUnderTest.start(store.database, { connectors: connectorService({ value: false }) });
      const answer = await api.call('connector.create', { name: 'x', url });
      expect([answer.status, answer.body.error.message]).toEqual([400, 'url: the server cannot be used: nobody answers']);
    });
  });
});
