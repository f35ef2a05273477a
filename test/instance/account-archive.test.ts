import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { furnishBrand } from '../support/brands/furnished-brand.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';
import { createDatabase } from '../support/db/postgres.ts';
import { someText } from '../support/http/matchers.ts';
import {
  type Entries,
  manifestOf,
  readEntries,
  rowsOf,
  setRows,
  signEntries,
  writeBomb,
  writeEntries,
} from '../support/instance/account-archive.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';

const email = 'ann@example.com';
const secret = 'the-secret-of-the-sender';

type Engine = 'sqlite' | 'postgres';

async function settingsOf(engine: Engine): Promise<Record<string, string>> {
  return engine === 'sqlite' ? {} : { ERRAND_DATABASE_URL: await createDatabase() };
}

function startService(cli: CliUnderTest, env: Record<string, string>) {
  return LocalService.start({ dataDir: cli.dataDir, env: { ERRAND_RATE_LIMITS: 'off', ...env } });
}

async function createAnn(cli: CliUnderTest, env: Record<string, string>, service: LocalService) {
  const { account_id, api_key } = await cli.runJson(['account', 'create', '--email', email], env);
  return {
    accountId: String(account_id),
    apiKey: String(api_key),
    client: new ServiceClient({ url: service.url, apiKey: String(api_key) }),
  };
}

async function finish(client: ServiceClient, taskId: string): Promise<void> {
  await eventually('the task ends', async () => ((await client.statusOf(taskId)) === 'stopped' ? true : null));
}

/** The content of the files that a task delivered. */
async function readDelivered(client: ServiceClient, taskId: string): Promise<string[]> {
  const events = JSON.stringify(await client.listEvents(taskId));
  const urls = [...events.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => String(url));
  return Promise.all(urls.map(async (url) => (await fetch(url)).text()));
}

/** The brands of the account and its project. */
async function readBrands(client: ServiceClient): Promise<unknown[]> {
  const [project] = (await client.ask('project.list')).data as { id: string }[];
  const scopes = [{ scope: 'account' }, { scope: 'project', id: project?.id }];
  return Promise.all(scopes.map(async (scope) => (await client.ask('brand.get', scope)).brand));
}

/** The canaries that are in the bytes of a folder's files. */
function findInFolder(folder: string, canaries: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  return canaries.filter((canary) => contents.some((content) => content.includes(canary)));
}

/** Gives the account one of many things. */
async function furnish(client: ServiceClient): Promise<string> {
  const { project } = (await client.ask('project.create', { name: 'Garden' })) as { project: { id: string } };
  const made = await client.ask('task.create', {
    message: { content: 'write hello.md with one' },
    project_id: project.id,
    metadata: { order: '7' },
  });
  await finish(client, String(made.task_id));
  await client.ask('schedule.create', { name: 'Weekly', message: 'go', cron: '0 9 * * 1' });
  const verification = { type: 'secret', secret };
  await client.ask('trigger.create', { name: 'Orders', message_template: 'Go', verification });
  await client.ask('memory.write', { scope: 'account', path: 'people.md', content: 'Ada likes tea.' });
  await client.ask('budget.set', { scope: 'account', period: 'day', credits: 1_000_000 });
  await client.ask('policy.set', { scope: 'account', rules: [{ tool: 'web_search', decision: 'never' }] });
  await furnishBrand(client, { scope: 'account' }, 'of-account');
  await furnishBrand(client, { scope: 'project', id: project.id }, 'of-project');
  return String(made.task_id);
}

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('an account exported from %s and imported into %s', (from, into) => {
  it('has its tasks, files, workspaces, and settings, no secrets, and works on', async () => {
    const [source, target] = [new CliUnderTest(), new CliUnderTest()];
    const [fromEnv, intoEnv] = [await settingsOf(from), await settingsOf(into)];
    const file = join(createFolder('exports'), 'ann.zip');
    let first: Awaited<ReturnType<typeof createAnn>>;
    let taskId: string;
    let brands: unknown[];
    {
      await using service = await startService(source, fromEnv);
      first = await createAnn(source, fromEnv, service);
      taskId = await furnish(first.client);
      brands = await readBrands(first.client);
      expect(await source.runJson(['account', 'export', email, '--to', file], fromEnv)).toMatchObject({
        code: 0,
        account_id: first.accountId,
        workspaces: 1,
      });
    }
    await using service = await startService(target, intoEnv);
    const damaged = `${file}.damaged`;
    const entries = await readEntries(file);
    setRows(entries, 'events', [...rowsOf(entries, 'events'), ...rowsOf(entries, 'events')]);
    signEntries(entries);
    await writeEntries(damaged, entries);
    expect(await target.run(['account', 'import', damaged], intoEnv)).toMatchObject({ code: 1, stderr: someText(/twice/) });
    expect((await target.run(['account', 'show', email], intoEnv)).code).toBe(1);
    const imported = await target.run(['account', 'import', file], intoEnv);
    expect(imported.stderr).not.toContain('errand: ');
    expect(imported).toMatchObject({ code: 0, stdout: someText(new RegExp(`^imported account ${first.accountId}: `)) });
    expect(imported.stderr).toMatch(/API keys: errand key create \(1\)/);

    const old = new ServiceClient({ url: service.url, apiKey: first.apiKey });
    expect((await old.call('task.list')).status).toBe(401);
    const { api_key } = await target.runJson(['key', 'create', '--account', email, '--name', 'new'], intoEnv);
    // Without --account, a command is for the first account of the instance, which is another one still.
    await target.run(['key', 'create', '--name', 'of the first account'], intoEnv);
    const { account } = await target.runJson(['account', 'show', email], intoEnv);
    expect(account).toMatchObject({ keys: [{ name: 'new' }] });
    const client = new ServiceClient({ url: service.url, apiKey: String(api_key) });
    expect(await client.ask('task.detail', { task_id: taskId })).toMatchObject({
      task: { status: 'stopped', metadata: { order: '7' } },
    });
    expect(await readDelivered(client, taskId)).toEqual(['one']);
    expect((await client.ask('schedule.list')).data).toMatchObject([{ name: 'Weekly', cron: '0 9 * * 1' }]);
    const [trigger] = (await client.ask('trigger.list')).data as { url: string }[];
    const sent = await fetch(String(trigger?.url), { method: 'POST', headers: { 'x-trigger-secret': secret }, body: '{}' });
    expect(sent.status).toBe(401);
    const read = await fetch(`${service.url}/v2/memory.read?scope=account&path=people.md`, {
      headers: { 'x-service-api-key': String(api_key) },
    });
    expect(await read.json()).toMatchObject({ memory: { content: 'Ada likes tea.' } });
    expect(await readBrands(client)).toEqual(brands);
    // Their templates are shown by no operation, and are here as they were given.
    const templates = ['of-account-docx', 'of-account-xlsx', 'of-project-docx', 'of-project-xlsx'];
    expect(findInFolder(join(target.dataDir, 'blobs'), templates)).toEqual(templates);
    // The workspace came along, and the task continues in it.
    await client.ask('task.sendMessage', { task_id: taskId, message: { content: 'write more.md with two' } });
    await finish(client, taskId);
    expect(await readDelivered(client, taskId)).toEqual(['one', 'two']);

    expect(await target.run(['account', 'import', file], intoEnv)).toMatchObject({
      code: 1,
      stderr: someText(/has the account .* already|this instance has the account/),
    });
  });
});

describe('the archive of an account', () => {
  const cli = new CliUnderTest();
  const files = createFolder('archives');
  const exported = join(files, 'ann.zip');
  let account: { accountId: string; apiKey: string };
  let original: Entries;
  const copy = (): Entries => new Map(original);

  beforeAll(async () => {
    await using service = await startService(cli, {});
    const { client, ...owner } = await createAnn(cli, {}, service);
    account = owner;
    await furnish(client);
    const instanceKey = String((await cli.runJson(['key', 'create', '--instance', '--name', 'ops'])).api_key);
    const operator = new ServiceClient({ url: service.url, apiKey: instanceKey });
    const { url } = await operator.ask('instance.exportAccount', { account_id: email });
    writeFileSync(exported, Buffer.from(await (await fetch(String(url))).arrayBuffer()));
    original = await readEntries(exported);
  });

  it('has an address that is signed, for programs with an instance key, and a command downloads it from elsewhere', async () => {
    await using service = await startService(cli, {});
    const instanceKey = String((await cli.runJson(['key', 'create', '--instance', '--name', 'more'])).api_key);
    const operator = new ServiceClient({ url: service.url, apiKey: instanceKey });
    const answer = await operator.ask('instance.exportAccount', { account_id: email });
    expect(answer).toMatchObject({ account_id: account.accountId, filename: `account-${account.accountId}.zip` });
    const response = await fetch(String(answer.url));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    await response.body?.cancel();
    expect((await fetch(String(answer.url).replace(/token=./, 'token=_'))).status).toBe(403);
    expect((await operator.call('instance.exportAccount', { account_id: 'unknown' })).status).toBe(404);
    const client = new ServiceClient({ url: service.url, apiKey: account.apiKey });
    expect((await client.call('instance.exportAccount', { account_id: email })).status).toBe(403);
    expect((await cli.run(['audit', 'list', '--instance'])).stdout).toContain('account_exported');
    const remote = { ERRAND_URL: service.url, ERRAND_API_KEY: instanceKey };
    const other = join(files, 'remote.zip');
    const command = ['account', 'export', email, '--to', other];
    expect(await cli.runJson(command, remote)).toMatchObject({ code: 0, file: other });
    // The service may have drawn a cover since the first export.
    expect([...(await readEntries(other)).keys()]).toEqual(expect.arrayContaining([...original.keys()]));
    expect(await cli.run(command, remote)).toMatchObject({ code: 1, stderr: someText(/exists already/) });
  });

  it('is made twice at once, and refused then', async () => {
    await using service = await startService(cli, {});
    const instanceKey = String((await cli.runJson(['key', 'create', '--instance', '--name', 'load'])).api_key);
    const operator = new ServiceClient({ url: service.url, apiKey: instanceKey });
    const client = new ServiceClient({ url: service.url, apiKey: account.apiKey });
    const upload = await client.ask('file.upload', { filename: 'large.bin' });
    // More than sockets hold, so that the downloads wait for their readers.
    await fetch(String(upload.upload_url), { method: 'PUT', body: Buffer.alloc(40_000_000, 'x') });
    const { url } = await operator.ask('instance.exportAccount', { account_id: email });
    const waiting = await Promise.all([fetch(String(url)), fetch(String(url))]);
    const refused = await fetch(String(url));
    expect([refused.status, ...waiting.map(({ status }) => status)]).toEqual([503, 200, 200]);
    for (const { body } of waiting) await body?.cancel();
    await eventually('there is room again', async () => {
      const response = await fetch(String(url));
      await response.body?.cancel();
      return response.status === 200 ? true : null;
    });
  });

  it('is a zip file with the rows of each table, each file once, and a manifest with their checksums', () => {
    const manifest = manifestOf(original);
    expect([...original.keys()].at(-1)).toBe('manifest.json');
    expect(manifest.files.map(({ name }) => name)).toEqual([...original.keys()].slice(0, -1));
    expect(manifest.account).toEqual({ id: account.accountId, email });
    for (const { table, rows } of manifest.tables) expect([table, rowsOf(original, table).length]).toEqual([table, rows]);
    const blobIds = rowsOf(original, 'blob_refs').map(({ blob_id }) => `files/${String(blob_id)}`);
    expect([...original.keys()].filter((name) => name.startsWith('files/'))).toEqual([...new Set(blobIds)].toSorted());
    expect(manifest.enter_again.map(({ kind }) => kind).toSorted()).toEqual(['api_key', 'trigger_url']);
  });

  it('has no secret of the account', () => {
    const text = [...original.values()].join('\n');
    expect(text).not.toContain(account.apiKey);
    expect(text).not.toContain(secret);
    expect(rowsOf(original, 'triggers')).toMatchObject([{ secret: null, token: '', token_digest: '' }]);
  });

  it('can be imported where it was exported once the account is gone, and with another address', async () => {
    await using service = await startService(cli, {});
    expect(await cli.run(['account', 'import', exported])).toMatchObject({ code: 1, stderr: someText(/delete it first/) });
    await cli.run(['account', 'delete', email, '--yes']);
    await eventually('the account is gone', async () => ((await cli.run(['account', 'show', email])).code === 1 ? true : null));
    expect((await cli.run(['account', 'import', exported, '--email', 'bea@example.com'])).code).toBe(0);
    expect((await cli.runJson(['account', 'show', 'bea@example.com'])).account).toMatchObject({
      id: account.accountId,
      tasks: { stopped: 1 },
    });
    expect((await fetch(`${service.url}/v2/task.list`)).status).toBe(401);
  });

  const damages: Record<string, [RegExp, (entries: Entries) => void]> = {
    'of a newer version': [/newer version/, (entries) => signEntries(entries, { version: 2 })],
    'of a newer schema': [/newer version/, (entries) => signEntries(entries, { schema: 9999 })],
    'with a wrong checksum of a file': [
      /wrong checksum/,
      (entries) => {
        const [name = '', bytes = Buffer.alloc(0)] = [...entries].find(([entry]) => entry.startsWith('files/')) ?? [];
        entries.set(name, Buffer.alloc(bytes.length, '!'));
      },
    ],
    'with a wrong checksum of a table': [
      /wrong checksum/,
      (entries) => {
        const name = 'tables/tasks.jsonl';
        entries.set(name, Buffer.from(String(entries.get(name)).replace('stopped', 'running')));
      },
    ],
    'with a name that leaves its folder': [
      /unknown entry/,
      (entries) => {
        entries.set('../../evil', Buffer.from('x'));
        signEntries(entries);
      },
    ],
    'with a file that its manifest does not list': [
      /not those that its manifest lists/,
      (entries) => entries.set('files/0000000000000000000000', Buffer.from('x')),
    ],
    'without a file that a row refers to': [
      /a file is missing/,
      (entries) => {
        entries.delete([...entries.keys()].find((name) => name.startsWith('files/')) ?? '');
        signEntries(entries);
      },
    ],
    'with a row of another account': [
      /row of another account/,
      (entries) => {
        setRows(
          entries,
          'projects',
          rowsOf(entries, 'projects').map((row) => ({ ...row, account_id: '0'.repeat(22) })),
        );
        signEntries(entries);
      },
    ],
    'with an unknown column': [
      /unknown column/,
      (entries) => {
        setRows(
          entries,
          'tasks',
          rowsOf(entries, 'tasks').map((row) => ({ ...row, 'id) VALUES (1); --': 1 })),
        );
        signEntries(entries);
      },
    ],
    'with an unknown table': [
      /unknown table/,
      (entries) => {
        entries.set('tables/instance_keys.jsonl', Buffer.from('{}\n'));
        const tables = [...manifestOf(entries).tables, { table: 'instance_keys', rows: 1 }];
        signEntries(entries, { tables });
      },
    ],
    'with a value of another type': [
      /wrong type/,
      (entries) => {
        setRows(
          entries,
          'tasks',
          rowsOf(entries, 'tasks').map((row) => ({ ...row, created_at: 'yesterday' })),
        );
        signEntries(entries);
      },
    ],
    'with a row that is cut': [
      /middle of a row|damaged/,
      (entries) => {
        const bytes = entries.get('tables/events.jsonl') ?? Buffer.alloc(0);
        entries.set('tables/events.jsonl', bytes.subarray(0, -5));
        signEntries(entries);
      },
    ],
    'with a row twice': [
      /cannot be imported/,
      (entries) => {
        setRows(entries, 'tasks', [...rowsOf(entries, 'tasks'), ...rowsOf(entries, 'tasks')]);
        signEntries(entries);
      },
    ],
    'of an account that is being deleted': [
      /no export has/,
      (entries) => {
        setRows(
          entries,
          'accounts',
          rowsOf(entries, 'accounts').map((row) => ({ ...row, status: 'deleting' })),
        );
        signEntries(entries);
      },
    ],
    'that is something else': [/not the export of an account/, (entries) => entries.delete('manifest.json')],
  };

  describe('is refused, and leaves nothing,', () => {
    const target = new CliUnderTest();
    const stored = () => {
      const names = readdirSync(target.dataDir, { recursive: true }).map(String);
      return names.filter((name) => name.includes(account.accountId) && statSync(join(target.dataDir, name)).isFile());
    };

    /** How the import ends, and what it has left. */
    async function tryImport(file: string) {
      const { code, stderr } = await target.run(['account', 'import', file]);
      const shown = await target.run(['account', 'show', account.accountId]);
      const folder = join(target.dataDir, 'imports');
      const left = [...stored(), ...(existsSync(folder) ? readdirSync(folder) : [])];
      return { code, stderr, hasAccount: shown.code === 0, left };
    }
    const refused = (problem: RegExp) => ({ code: 1, stderr: someText(problem), hasAccount: false, left: [] });

    beforeAll(async () => {
      await target.run(['account', 'list']);
    });

    it.each(Object.entries(damages))('%s', async (name, [problem, damage]) => {
      const entries = copy();
      damage(entries);
      const file = join(files, `${name.replaceAll(' ', '-')}.zip`);
      await writeEntries(file, entries);
      expect(await tryImport(file)).toEqual(refused(problem));
    });

    it('with an entry twice', async () => {
      const file = join(files, 'twice.zip');
      await writeEntries(file, [...copy(), ['files/1', Buffer.from('x')], ['files/1', Buffer.from('y')]]);
      expect(await tryImport(file)).toEqual(refused(/twice/));
    });

    it('cut short, or no zip file', async () => {
      const cut = join(files, 'cut.zip');
      writeFileSync(cut, readFileSync(exported).subarray(0, -30));
      expect(await tryImport(cut)).toEqual(refused(/damaged, or no zip file/));
      writeFileSync(cut, 'hello');
      expect(await tryImport(cut)).toEqual(refused(/damaged, or no zip file/));
    });

    it('compressed, which could unpack to more than any disk has', async () => {
      const bomb = join(files, 'bomb.zip');
      writeBomb(bomb, 'manifest.json', 50_000_000);
      expect(await tryImport(bomb)).toEqual(refused(/it is compressed/));
    });

    it('and then works when it is whole', async () => {
      expect((await target.run(['account', 'import', exported])).code).toBe(0);
      expect(stored().length).toBeGreaterThan(0);
    });
  });
});
