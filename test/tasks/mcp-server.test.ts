import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { compiledCode, program } from '../support/process/compiled-code.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';

const names = ['create_task', 'get_task', 'list_messages', 'send_message', 'stop_task', 'list_tasks', 'list_artifacts'];

async function connectTo(api: ApiUnderTest, key = api.owner.key): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { 'x-service-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.http.url()}/mcp`), { requestInit }));
  return client;
}

/** The structured part of a tool's answer. */
async function use(client: Client, name: string, input: Json = {}): Promise<Json> {
  const answer = await client.callTool({ name, arguments: input });
  return { ...(answer.structuredContent as Json), isError: answer.isError ?? false, content: answer.content };
}

describeStores('the service as an MCP server', (store) => {
  it('lists its tools and drives a task with them', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const client = await connectTo(api);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools.find(({ name }) => name === 'create_task')?.inputSchema.required).toContain('prompt');

    const { task_id } = await use(client, 'create_task', { prompt: 'find a name', interactive: true });
    const id = String(task_id);
    await (await WorkerHand.take(store.database, id)).ask('for whom?');
    expect((await use(client, 'get_task', { task_id: id })).task).toMatchObject({ id, status: 'waiting' });
    await use(client, 'send_message', { task_id: id, message: 'for a cat' });
    await (await WorkerHand.take(store.database, id)).finish('Mia');
    const { messages } = await use(client, 'list_messages', { task_id: id, limit: 2 });
    expect((messages as Json[]).map(({ type }) => type)).toEqual(['status_update', 'assistant_message']);
    expect((await use(client, 'list_tasks')).data).toHaveLength(1);
    expect((await use(client, 'list_artifacts', { task_id: id })).data).toEqual([]);
    await use(client, 'send_message', { task_id: id, message: 'another' });
    await use(client, 'stop_task', { task_id: id });
    expect((await use(client, 'get_task', { task_id: id })).task).toMatchObject({ status: 'stopped' });
    await client.close();
  });

  it('explains refusals to the caller, and shows nothing of another account', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const id = await api.createTask();
    const stranger = await connectTo(api, (await addOwner(store.database)).key);
    const refused = await use(stranger, 'get_task', { task_id: id });
    expect(refused).toMatchObject({ isError: true, content: [{ type: 'text', text: 'not_found: task not found' }] });
    expect((await use(stranger, 'list_tasks')).data).toEqual([]);
    await stranger.close();
  });

  it('requires a credential like every other URL', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const response = await fetch(`${api.http.url()}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([response.status, await response.json()]).toMatchObject([401, { ok: false, error: { code: 'unauthenticated' } }]);
  });
});

describe('errand mcp', () => {
  it('serves a program over standard input and output, and drives the tasks it is given', async () => {
    const folder = createFolder('mcp');
    try {
      const client = new Client({ name: 'test', version: '1' });
      const env = {
        PATH: process.env.PATH ?? '',
        ...compiledCode,
        ERRAND_DATA_DIR: folder,
        ERRAND_MODEL: 'offline/offline-1',
        ERRAND_LOG: 'fatal',
      };
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp'],
        env,
        stderr: 'inherit',
      });
      await client.connect(transport);
      const { task_id } = await use(client, 'create_task', { prompt: 'say hello' });
      const isDone = async () => {
        const { task } = await use(client, 'get_task', { task_id });
        return (task as Json).status === 'stopped';
      };
      await expect.poll(isDone).toBe(true);
      await client.close();
    } finally {
      removeFolder(folder);
    }
  });
});
