import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someText } from '../support/http/matchers.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { LocalService } from '../support/service/local-service.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';

/** What every way to the service has in common; `cli` reaches it by its environment. */
async function useEverything(cli: CliUnderTest): Promise<void> {
  const ann = await cli.runJson(['account', 'create', '--email', 'Ann@Example.com', '--plan', 'free']);
  expect(ann).toMatchObject({ code: 0, email: 'ann@example.com', plan: 'free', api_key: someText(/^sk-/) });
  const asAnn = ['--account', 'ann@example.com'];
  const made = await cli.runJson(['key', 'create', '--name', 'ci', ...asAnn]);
  const key = made.key as { id: string };
  expect((await cli.runJson(['key', 'list', '--account', String(ann.account_id)])).data).toMatchObject([
    { name: 'first key' },
    { name: 'ci' },
  ]);
  expect(await cli.runJson(['key', 'revoke', key.id, ...asAnn])).toMatchObject({ code: 0, revoked: true });
  const other = (await cli.runJson(['key', 'create', ...asAnn])).key as { id: string };
  expect(await cli.runJson(['key', 'revoke', other.id])).toMatchObject({ code: 0, key_id: other.id, revoked: true });
  const unknown = { code: 1, stdout: '', stderr: 'errand: API key not found' };
  expect(await cli.run(['key', 'revoke', '0'.repeat(22)])).toMatchObject(unknown);
  expect((await cli.runJson(['key', 'list', ...asAnn])).data).toHaveLength(1);
  const limited = await cli.runJson(['key', 'create', '--scope', 'tasks', '--expires', '2100-01-01', ...asAnn]);
  expect(limited.key).toMatchObject({ scope: 'tasks', expires_at: 4_102_444_800 });
  for (const wrong of [
    ['--expires', 'soon'],
    ['--scope', 'admin'],
    ['--instance', '--expires', '90d'],
  ])
    expect((await cli.run(['key', 'create', ...wrong])).code).toBe(64);

  const team = await cli.runJson(['team', 'create', '--name', 'Research', '--owner', 'ann@example.com']);
  await cli.runJson(['account', 'create', '--email', 'bob@example.com']);
  const inTeam = ['--team', String(team.team_id)];
  const invited = await cli.run(['team', 'invite', '--team', 'Research', '--email', 'bob@example.com', '--role', 'admin']);
  expect(invited).toMatchObject({ code: 0, stdout: someText(/^[0-9A-Za-z]{43}$/) });
  expect(await cli.runJson(['team', 'accept', '--token', invited.stdout])).toMatchObject({ code: 0, role: 'admin' });
  expect(await cli.runJson(['team', 'accept', '--token', invited.stdout])).toMatchObject({
    code: 1,
    error: { code: 'not_found' },
  });
  expect(await cli.runJson(['team', 'role', ...inTeam, '--email', 'bob@example.com', '--role', 'member'])).toMatchObject({
    code: 0,
  });
  expect((await cli.runJson(['team', 'members', ...inTeam])).data).toMatchObject([
    { email: 'ann@example.com', role: 'owner' },
    { email: 'bob@example.com', role: 'member' },
  ]);
  expect((await cli.run(['team', 'remove', ...inTeam, '--email', 'bob@example.com'])).code).toBe(0);
  expect((await cli.runJson(['team', 'list'])).data).toMatchObject([{ name: 'Research', member_count: 1 }]);
  const audit = (await cli.runJson(['audit', 'list', ...asAnn])).data as { kind: string }[];
  const keyKinds = [...Array<string>(4).fill('key_created'), 'key_revoked', 'key_revoked'];
  const kinds = ['account_created', ...keyKinds, 'team_created', 'team_invited'];
  expect(audit.map(({ kind }) => kind).toSorted()).toEqual(kinds);

  const created = await cli.run(['task', 'create', 'say hello', ...asAnn]);
  expect(created).toMatchObject({ code: 0, stdout: someText(/^[0-9A-Za-z]{22}$/) });
  const id = created.stdout;
  expect(await cli.runJson(['task', 'show', id, ...asAnn])).toMatchObject({ task: { id, title: 'say hello' } });
  const elsewhere = 'errand: task not found in the first account; use --account ACCOUNT to look in another';
  expect(await cli.run(['task', 'show', id])).toMatchObject({ code: 1, stdout: '', stderr: elsewhere });
  const mistaken = ['task', 'show', '0'.repeat(22), ...asAnn];
  expect(await cli.run(mistaken)).toMatchObject({ code: 1, stdout: '', stderr: 'errand: task not found' });
  expect((await cli.run(['task', 'stop', id, ...asAnn])).code).toBe(0);
  expect(await cli.runJson(['task', 'list', ...asAnn])).toMatchObject({ data: [{ id, status: 'stopped' }], has_more: false });
  expect(await cli.runJson(['task', 'delete', id, ...asAnn])).toMatchObject({ id, deleted: true });
  expect((await cli.runJson(['task', 'list', ...asAnn])).data).toEqual([]);
}

describe('commands without a service', () => {
  it('work on the data folder, and show the first key if they create it', async () => {
    const cli = new CliUnderTest();
    const { code, stdout, stderr } = await cli.runProcess(['key', 'create']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sk-[0-9A-Za-z]{43}$/);
    expect(stderr).toMatch(/first API key of this instance, shown once: sk-[0-9A-Za-z]{43}\n/);
    await useEverything(cli);
  });

  it('wait for each other', async () => {
    const cli = new CliUnderTest();
    const keys = await Promise.all(['a', 'b', 'c'].map((name) => cli.runProcess(['key', 'create', '--name', name])));
    expect(keys.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await cli.runJson(['key', 'list'])).data).toHaveLength(4);
  });

  it('report that no service works on a task', async () => {
    const cli = new CliUnderTest();
    const { stdout: id, stderr } = await cli.run(['task', 'create', 'say hello']);
    expect(stderr).toContain('No service runs on');
    expect(await cli.run(['task', 'watch', id])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: someText(/the task makes no progress/),
    });
  });

  it('migrate the database', async () => {
    const cli = new CliUnderTest();
    const first = await cli.runJson(['migrate']);
    expect(first).toMatchObject({ code: 0, from: 0 });
    expect(await cli.runJson(['migrate'])).toMatchObject({ from: first.to, to: first.to });
  });

  it('examine the machine without leaving anything behind', async () => {
    const cli = new CliUnderTest();
    const folder = join(cli.dataDir, 'new');
    const report = await cli.runJson(['doctor'], { ERRAND_DATA_DIR: folder });
    expect(report).toMatchObject({ code: 0, ok: true });
    expect(report.checks).toContainEqual(
      expect.objectContaining({ name: 'model', state: 'missing', remedy: someText(/ERRAND_MODEL/) }),
    );
    const names = (report.checks as { name: string; state: string }[]).map(({ name, state }) => `${name} ${state}`);
    expect(names).toEqual(expect.arrayContaining(['files ok', 'content origin ok']));
    expect(existsSync(folder)).toBe(false);
  });

  it('report why the service could not run', async () => {
    const service = await LocalService.start();
    const cli = new CliUnderTest({ ERRAND_PORT: new URL(service.url).port });
    expect(await cli.runJson(['doctor'])).toMatchObject({ code: 1, ok: false });
    const away = {
      ERRAND_BLOBS: 's3://errand?endpoint=http://127.0.0.1:9',
      ERRAND_S3_ACCESS_KEY_ID: 'a',
      ERRAND_S3_SECRET_ACCESS_KEY: 'b',
    };
    const report = await new CliUnderTest().runJson(['doctor'], away);
    expect(report.checks).toContainEqual(
      expect.objectContaining({ name: 'files', state: 'failed', remedy: someText(/ERRAND_BLOBS/) }),
    );
  });
});

describe('commands beside a service', () => {
  it('use its control socket', async () => {
    const cli = new CliUnderTest();
    const service = await LocalService.start({ dataDir: cli.dataDir });
    await useEverything(cli);
    const paths = service.lines.map(({ text }) => (JSON.parse(text) as { path?: string }).path);
    expect(paths).toContain('/admin/key.revoke');
  });

  it('limit what tasks and an account may cost', async () => {
    const cli = new CliUnderTest();
    const { stdout: id } = await cli.run(['task', 'create', 'say hello', '--budget', '7']);
    const { stdout: shown } = await cli.run(['task', 'show', id, '--json']);
    expect((JSON.parse(shown) as { task: { budget: unknown } }).task.budget).toMatchObject({ credits: 7, on_limit: 'wait' });
    expect(await cli.run(['task', 'create', 'say hello', '--budget', 'much'])).toMatchObject({ code: 64 });
    expect(await cli.run(['budget', 'set', 'account', '50', '--per', 'day'])).toMatchObject({
      stdout: '50 credits (0.5 USD) per day, 0 used',
    });
    expect((await cli.run(['budget', 'list'])).stdout).toMatch(/^account +\w{22} +day +0 +0 +50\b/m);
    expect(await cli.run(['budget', 'set', 'account', 'none', '--per', 'day'])).toMatchObject({ stdout: 'removed' });
    expect(await cli.run(['budget', 'set', 'planet', '5'])).toMatchObject({ code: 64 });
    expect(await cli.run(['inbox', 'decide', 'x', '--credits', '5', '--reject'])).toMatchObject({ code: 64 });
  });

  it('set what agents may not do', async () => {
    const cli = new CliUnderTest();
    const rules = JSON.stringify([{ tool: 'run_shell', argument: 'git push', decision: 'never' }]);
    expect(await cli.run(['policy', 'set', 'account', rules])).toMatchObject({ stdout: 'never run_shell "git push"' });
    expect((await cli.run(['policy', 'list'])).stdout).toMatch(/^account +\w{22} .* never run_shell "git push"/m);
    expect(await cli.run(['policy', 'set', 'account', 'none'])).toMatchObject({ stdout: 'removed' });
    expect(await cli.run(['policy', 'set', 'account', 'all'])).toMatchObject({ code: 64 });
    expect(await cli.run(['policy', 'set', 'planet', 'none'])).toMatchObject({ code: 64 });
  });

  it('watch a task, answer its question and resume', async () => {
    const cli = new CliUnderTest();
    await LocalService.start({ dataDir: cli.dataDir });
    const { stdout: id } = await cli.run(['task', 'create', 'ask which colour?', '--interactive']);
    expect(await cli.run(['task', 'watch', id])).toMatchObject({ code: 2, stdout: someText(/which colour\?/) });
    await cli.run(['task', 'send', id, 'say blue it is']);
    const watched = await cli.runJson(['task', 'watch', id]);
    expect(watched).toMatchObject({ code: 0, task: { id, status: 'stopped' } });
    const ids = (watched.messages as { id: string }[]).map((message) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted());
  });
});

describe('commands with an API key', () => {
  let service: LocalService;
  let env: Record<string, string>;
  const cli = new CliUnderTest();
  beforeAll(async () => {
    service = await LocalService.start({ dataDir: createFolder('remote') });
    env = { ERRAND_URL: service.url, ERRAND_API_KEY: service.apiKey };
  });

  it('do what the key may do', async () => {
    const { code, stdout, stderr } = await cli.run(['run', 'plan one; two\nwrite a.md with A\nsay done'], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done' });
    expect(stderr).toContain('• ');
    expect((await cli.runJson(['task', 'list'], env)).data).toHaveLength(1);
    const folder = join(cli.dataDir, 'out');
    expect(await cli.run(['run', 'write b.md with B', '--out', folder], env)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'b.md'), 'utf8')).toContain('B');
  });

  it('report what the key may not do', async () => {
    expect(await cli.run(['key', 'list'], env)).toMatchObject({
      code: 1,
      stderr: someText(/remote clients may not do this/),
    });
    expect(await cli.run(['task', 'list'], { ...env, ERRAND_API_KEY: 'sk-wrong' })).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('commands with a database', () => {
  let url: string;
  beforeAll(async () => {
    url = await createDatabase();
  });
  afterAll(() => dropDatabase(url));

  it('work on it', async () => {
    const cli = new CliUnderTest({ ERRAND_DATABASE_URL: url });
    expect(await cli.runJson(['migrate'])).toMatchObject({ code: 0, from: 0 });
    await useEverything(cli);
    const folder = join(cli.dataDir, 'out');
    expect(await cli.runProcess(['run', 'write hello.md with Hello', '--out', folder])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'hello.md'), 'utf8')).toContain('Hello');
  });

  it('name the wrong setting when the database is unreachable', async () => {
    const cli = new CliUnderTest({ ERRAND_DATABASE_URL: 'postgresql://errand:secret@127.0.0.1:1/errand' });
    for (const command of [['migrate'], ['task', 'list']]) {
      const { code, stdout, stderr } = await cli.run(command);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(/^errand: ERRAND_DATABASE_URL: cannot use the database: [^\n]+$/);
      expect(stderr).not.toContain('secret');
    }
  });
});
