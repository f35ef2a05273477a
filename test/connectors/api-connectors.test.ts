import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PetsApi } from '../support/connectors/pets-api.ts';
import { systemClock } from '@errand/base/clock.ts';
import { runErrand } from '../../src/cli/index.ts';
import { TestHost } from '../support/cli/test-shell.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, type Json, ServiceClient } from '../support/service/service-client.ts';

type Call = [operation: string, input?: Json];

function scenario(calls: Call[]): string {
  const steps = calls.map(([name, input = {}]) => ({ calls: [{ tool: `api__my_pets__${name}`, input }] }));
  return `\`\`\`scenario\n${JSON.stringify(steps)}\n\`\`\``;
}

describe.each(['embedded', 'PostgreSQL'])('an HTTP API as a connector, with the %s database', (kind) => {
  let pets: PetsApi;
  let service: LocalService;
  let client: ServiceClient;
  let databaseUrl: string | null = null;
  beforeAll(async () => {
    databaseUrl = kind === 'PostgreSQL' ? await createDatabase() : null;
    pets = await PetsApi.start();
    const env = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_SECRET: 'thirty-two-random-characters-or-so' };
    service = await LocalService.start({ env: { ...env, ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }) } });
    client = new ServiceClient(service);
  });
  afterAll(async () => {
    await pets[Symbol.asyncDispose]();
    await service.end();
    if (databaseUrl !== null) await dropDatabase(databaseUrl);
  });

  const signIn = { type: 'header', name: 'X-Api-Key', key: 'canary-key' };
  const create = async (more: Json = {}) => {
    const operations = ['listPets', 'addPet', 'getPet', 'elsewhere', 'moved', 'photo', 'echo'];
    const input = { name: 'My pets', document_url: `${pets.url}/openapi.yaml`, sign_in: signIn, operations, ...more };
    return (await client.ask('connector.createApi', input)).connector as Json;
  };

  async function start(connectorId: unknown, calls: Call[], more: Json = {}): Promise<string> {
    const message = { content: scenario(calls), connectors: [connectorId] };
    return String((await client.ask('task.create', { message, ...more })).task_id);
  }
  const ended = (taskId: string) =>
    eventually('the task ends', async () => ((await client.statusOf(taskId)) === 'stopped' ? true : null));
  const outputs = async (taskId: string) =>
    (await client.listEvents(taskId)).flatMap(({ tool_used: used }) => (used ? [String((used as Json).description)] : []));

  it('lists what its document describes, and why something cannot be used', async () => {
    const found = await client.ask('connector.readApi', { document_url: `${pets.url}/openapi.yaml` });
    expect(found).toMatchObject({
      title: 'Pets',
      base_url: `${pets.url}/v1`,
      sign_in: { type: 'header', name: 'X-Api-Key' },
      most_operations: 64,
    });
    expect((found.operations as Json[]).map(({ name, method, problem }) => [name, method, problem]).slice(0, 4)).toEqual([
      ['listPets', 'get', null],
      ['addPet', 'post', null],
      ['getPet', 'get', null],
      ['upload', 'post', 'it takes multipart/form-data; calls send JSON, form fields, or text'],
    ]);
  });

  it('is called with its key, at its own address only; answers, errors and files reach the task, keys do not', async () => {
    const connector = await create();
    expect(connector).toMatchObject({ type: 'byok', url: `${pets.url}/v1`, status: 'connected' });
    expect(JSON.stringify(connector)).not.toContain('canary');
    pets.calls.length = 0;
    const taskId = await start(connector.id, [
      ['listPets', { limit: 2 }],
      ['getPet', { id: '9/secret' }],
      ['getPet', { id: '../../secret' }],
      ['getPet', {}],
      ['listPets', { 'X-Api-Key': 'mine' }],
      ['moved'],
      ['elsewhere'],
      ['photo'],
      ['echo'],
    ]);
    await ended(taskId);
    const said = await outputs(taskId);
    expect(said.slice(0, 6)).toEqual([
      '[{"id":7,"name":"Rex"}]',
      expect.stringMatching(/^The API answers 404 to GET \/v1\/pets\/9%2Fsecret\. Check .*\n\{"error":"no such pet"\}$/),
      expect.stringMatching(/^Not sent: `id` is part of the address/),
      'Not sent: `id` is missing. Give it.',
      'Not sent: There is no field `X-Api-Key`. The fields are: limit.',
      '[{"id":7,"name":"Rex"}]',
    ]);
    expect(said[6]).toBe(
      `The connector My pets failed: it redirects to example.com, and calls stay at ${new URL(pets.url).host}`,
    );
    expect(said[7]).toMatch(/^\[image\/png, kept as connector-files\/.*\.png\]$/);
    expect(said[8]).toBe('{"you":"[key]"}');
    expect(pets.calls.map(({ call }) => call)).toEqual([
      'GET /v1/pets?limit=2',
      'GET /v1/pets/9%2Fsecret',
      'GET /v1/moved',
      'GET /v1/pets?limit=1',
      'GET /v1/elsewhere',
      'GET /v1/photo',
      'GET /v1/echo',
    ]);
    expect(pets.calls.every(({ headers }) => headers['x-api-key'] === 'canary-key')).toBe(true);
    expect(JSON.stringify(await client.listEvents(taskId))).not.toContain('canary');
  });

  it('asks before an operation that changes something', async () => {
    const connector = await create();
    pets.calls.length = 0;
    const taskId = await start(connector.id, [['addPet', { body: { name: 'Ada' } }]], { interactive_mode: true });
    const waiting = await eventually('the task waits', async () => {
      const { task } = (await client.ask('task.detail', { task_id: taskId })) as { task: Json };
      return task.status === 'waiting' ? task : null;
    });
    const events = await client.listEvents(taskId);
    const update = events.map(({ status_update: each }) => each as Json | undefined).findLast((each) => each?.status_detail);
    const detail = update?.status_detail as Json;
    expect([waiting.status, detail.waiting_for_event_type, pets.calls]).toEqual(['waiting', 'connectorAction', []]);
    await client.ask('task.confirmAction', {
      task_id: taskId,
      event_id: detail.waiting_for_event_id,
      input: { accept: true },
    });
    await ended(taskId);
    expect(pets.calls.map(({ call, body }) => [call, body])).toEqual([['POST /v1/pets', '{"name":"Ada"}']]);
  });

  it('stays as it is when it is checked, and says when nothing answers', async () => {
    const connector = await create();
    const checked = (await client.ask('connector.check', { connector_id: connector.id })).connector;
    expect(checked).toMatchObject({ status: 'connected', tools: connector.tools });
  });

  it('is read and connected on the command line, with the key on standard input', async () => {
    const run = async (argv: string[], stdin?: string) => {
      const host = new TestHost(env, { clock: systemClock, ...(stdin !== undefined && { stdin }) });
      return { code: await runErrand(argv, host), stdout: host.stdout.text, stderr: host.stderr.text };
    };
    const env = { ERRAND_URL: service.url, ERRAND_API_KEY: service.apiKey };
    const place = `${pets.url}/openapi.yaml`;
    const listed = await run(['connector', 'read-api', place]);
    expect([listed.stderr, listed.stdout]).toEqual(['', expect.stringMatching(/^addPet +POST +\/pets/m)]);
    const argv = ['connector', 'add-api', place, '--name', 'Shop', '--operation', 'listPets', '--key-header', 'X-Api-Key'];
    const added = await run(argv, 'canary-key\n');
    expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('tools: listPets')]);
  });

  describe('refuses', () => {
    const document = JSON.stringify({
      openapi: '3.0.0',
      paths: { '/a': { get: { operationId: 'a' }, post: { operationId: 'b', parameters: [{ in: 'query' }] } } },
    });
    const aliases = `a: &a [x]\nb: [${'*a,'.repeat(200)}]`;
    it.each<[Json, string]>([
      [{}, 'document is required, or document_url'],
      [{ document, document_url: 'https://x.example' }, 'document_url: give either this or document'],
      [{ document_url: 'ftp://x.example' }, 'document_url: cannot be fetched: must begin with https://'],
      [{ document: '{' }, /^document: is neither JSON nor YAML: /.source],
      [{ document: '- a' }, 'document: must be an OpenAPI document: an object in JSON or YAML'],
      [{ document: aliases }, 'document: uses too many YAML aliases'],
      [{ document }, 'base_url is required: the document names no server'],
      [{ document, base_url: 'https://u:p@x.example' }, /^base_url: must be the address below which/.source],
      [{ document, base_url: 'http://10.1.2.3' }, /^base_url: the API cannot be used: .*not public/.source],
      [{ document, operations: ['c'] }, 'operations: the document has no operation c; connector.readApi lists them'],
      [{ document, operations: ['b'] }, 'operations: b cannot be used: it has a parameter without a name'],
      [{ document, sign_in: { type: 'header', key: 'x' } }, 'sign_in.name is required'],
      [{ document, sign_in: { type: 'header', name: 'Host', key: 'x' } }, /^sign_in.name: must be the name of a header/.source],
      [{ document, sign_in: { type: 'bearer' } }, 'sign_in.key is required'],
      [{ document, sign_in: { type: 'basic', username: 'a:b' } }, 'sign_in.username: must not contain a colon'],
    ])('case %#', async (input, problem) => {
      const { status, body } = await client.call('connector.createApi', { name: 'x', ...input });
      const { message } = body.error as { message: string };
      expect(status).toBe(400);
      if (problem.startsWith('^')) expect(message).toMatch(new RegExp(problem));
      else expect(message).toBe(problem);
    });
  });
});
