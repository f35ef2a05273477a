import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliUnderTest, finish } from '../support/cli/cli-under-test.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { eventually, type Json, ServiceClient } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';

/** An MCP server as a person would write one without any library. */
const server = `
let count = 0;
const { createInterface } = require('node:readline');
const reply = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
const say = (id, text) => reply(id, { content: [{ type: 'text', text }] });
const tool = (name) => ({ name, description: name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
console.log('this line is no message');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') reply(id, { tools: ['count', 'look', 'crash', 'shout'].map(tool) });
  if (method !== 'tools/call') return;
  if (params.name === 'count') say(id, 'count is ' + ++count);
  if (params.name === 'crash') { console.error('it hurts'); process.exit(3); }
  if (params.name === 'shout') say(id, 'x'.repeat(17 * 1024 * 1024));
  if (params.name === 'look') {
    const { readdirSync, writeFileSync, existsSync } = require('node:fs');
    const found = [process.env.SERVER_KEY, readdirSync('/workspace').join(), existsSync('/root/.ssh'), Object.keys(process.env).some((name) => name.startsWith('ERRAND'))];
    writeFileSync('/workspace/kept.txt', 'x');
    let isFixed = false;
    try { writeFileSync('/opt/library/x', 'x'); } catch { isFixed = true; }
    fetch('http://example.com', { signal: AbortSignal.timeout(3000) }).then(() => 'reached', () => 'no network').then((net) => say(id, JSON.stringify([...found, isFixed, net])));
  }
});
`;

function scenario(...tools: string[]): string {
  return `\`\`\`scenario\n${JSON.stringify(tools.map((name) => ({ calls: [{ tool: `mcp__tools__${name}` }] })))}\n\`\`\``;
}

describe.each(['embedded', 'PostgreSQL'])('a connector that is a command, with the %s database', (kind) => {
  const folder = createFolder('stdio-server');
  let service: LocalService;
  let databaseUrl: string | null = null;
  let cli: CliUnderTest;
  let env: Record<string, string> = {};
  beforeAll(async () => {
    writeFileSync(join(folder, 'server.js'), server);
    // Commands run as a separate user.
    chmodSync(folder, 0o755);
    databaseUrl = kind === 'PostgreSQL' ? await createDatabase() : null;
    env = {
      ERRAND_SECRET: 'thirty-two-random-characters-or-so',
      ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }),
    };
    service = await LocalService.start({ env });
    cli = new CliUnderTest();
    env = { ...env, ERRAND_DATA_DIR: service.dataDir };
  });
  afterAll(async () => {
    await service.end();
    if (databaseUrl !== null) await dropDatabase(databaseUrl);
    removeFolder(folder);
  });

  async function runTask(client: ServiceClient, connectorId: unknown, ...tools: string[]): Promise<string[]> {
    const message = { content: scenario(...tools), connectors: [connectorId] };
    const { task_id: taskId } = await client.ask('task.create', { message });
    await eventually('the task ends', async () => ((await client.statusOf(String(taskId))) === 'stopped' ? true : null));
    const used = (await client.listEvents(String(taskId))).flatMap(({ tool_used: one }) => (one ? [one as Json] : []));
    return used.map(({ description }) => String(description));
  }

  it('is connected by the operator only, works in the sandbox, keeps its state, and is restarted after it ended', async () => {
    const argv = ['connector', 'add-command', 'node /opt/library/server.js', '--name', 'Tools', '--folder', folder, '--json'];
    const added = await finish(await cli.start(argv, env));
    const { connector } = JSON.parse(added.stdout) as { connector: Json };
    expect(connector).toMatchObject({
      type: 'mcp',
      url: 'stdio:',
      status: 'connected',
      tools: ['count', 'look', 'crash', 'shout'],
    });
    const client = new ServiceClient(service);
    expect(await runTask(client, connector.id, 'count', 'count')).toEqual(['count is 1', 'count is 2']);
    expect(await runTask(client, connector.id, 'count')).toEqual(['count is 3']);
    const [first] = await runTask(client, connector.id, 'look');
    expect(JSON.parse(first ?? '')).toEqual([null, '', false, false, true, 'no network']);
    const [crashed, paused] = await runTask(client, connector.id, 'crash', 'count');
    expect(crashed).toBe('The connector Tools failed: its command ended with 3: it hurts');
    expect(paused).toMatch(/^The connector Tools failed: its command has ended 1 times; it is started again in 1 s$/);
    const again = await eventually('it works again', async () => {
      const [answer] = await runTask(client, connector.id, 'count');
      return answer === 'count is 1' ? answer : null;
    });
    expect(again).toBe('count is 1');
    expect(await runTask(client, connector.id, 'shout')).toEqual([
      'The connector Tools failed: it sent a message that is too long',
    ]);
    expect(
      JSON.parse(
        await eventually('it looks', async () => {
          const [answer] = await runTask(client, connector.id, 'look');
          return answer?.startsWith('[') ? answer : null;
        }),
      ),
    ).toEqual([null, 'kept.txt', false, false, true, 'no network']);
    expect((await client.ask('connector.check', { connector_id: connector.id })).connector).toMatchObject({
      status: 'connected',
    });
  });

  it('cannot be connected over the API, and is rejected if it cannot be run', async () => {
    const client = new ServiceClient(service);
    const command = { name: 'x', command: 'node /opt/library/server.js', folder };
    const viaApi = await client.call('connector.create', command);
    expect([viaApi.status, (viaApi.body.error as Json).message]).toEqual([400, 'url is required']);
    expect((await client.call('connector.createCommand', command)).status).toBe(404);
    for (const path of ['/admin/connector.createCommand', '/web/connector.createCommand']) {
      const headers = { 'x-service-api-key': service.apiKey, 'content-type': 'application/json', 'x-errand-web': '1' };
      const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(command) });
      expect(answer.status).toBe(404);
    }
    const wrong = await cli.run(['connector', 'add-command', 'no-such-program', '--name', 'x'], env);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('its command ended with 127')]);
    const argv = ['connector', 'add-command', 'sleep 1; exit 0', '--name', 'x', '--folder', 'relative'];
    expect((await cli.run(argv, env)).code).toBe(1);
  });
});
