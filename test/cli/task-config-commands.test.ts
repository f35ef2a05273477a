import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someText } from '../support/http/matchers.ts';
import { McpOauthFront } from '../support/connectors/mcp-oauth-front.ts';
import { McpServerUnderTest } from '../support/connectors/mcp-server-under-test.ts';
import { packOffice, wordParts } from '../support/files/office-samples.ts';
import { LocalService } from '../support/service/local-service.ts';
import { CliUnderTest } from '../support/cli/cli-under-test.ts';

const skillText = '---\nname: tea\ndescription: How to make tea.\n---\nBoil water.\n';

describe('commands for what tasks work with', () => {
  const cli = new CliUnderTest();
  let server: McpServerUnderTest;
  beforeAll(async () => {
    server = await McpServerUnderTest.start();
    await LocalService.start({ dataDir: cli.dataDir, env: { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('set a brand with files of this machine, show it, and delete it', async () => {
    expect(await cli.run(['brand', 'get'])).toMatchObject({ code: 0, stdout: 'no brand' });
    const [logo, letter] = [join(cli.dataDir, 'logo.svg'), join(cli.dataDir, 'letter.docx')];
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>');
    writeFileSync(letter, packOffice(wordParts('<w:p/>')));
    const look = ['--name', 'Rivermouth', '--accent', '#b3002d', '--chart', '#b3002d', '--chart', '#335577'];
    const files = ['--logo', logo, '--template', letter, '--heading-font', 'Manrope'];
    const set = await cli.run(['brand', 'set', ...look, ...files]);
    const lines = ['name +Rivermouth', 'theme +report', 'accent color +#b3002d', 'chart color +#b3002d, #335577'];
    for (const line of [...lines, 'heading font +Manrope', 'logo +logo.svg', 'docx template +letter.docx'])
      expect(set.stdout).toMatch(new RegExp(`^${line}$`, 'm'));
    const changed = await cli.run(['brand', 'set', '--logo', 'none', '--footer', 'Old Quay 1']);
    expect(changed.stdout).toMatch(/^footer +Old Quay 1$/m);
    expect(changed.stdout).not.toContain('logo');
    expect((await cli.run(['brand', 'get'])).stdout).toBe(changed.stdout);
    expect(await cli.run(['brand', 'set', '--template', logo])).toMatchObject({
      code: 64,
      stderr: someText(/or write docx=none/),
    });
    expect(await cli.run(['brand', 'set', '--template', 'pdf=none'])).toMatchObject({ code: 64 });
    const bare = await cli.run(['brand', 'set', '--template', 'docx=none']);
    expect(bare.stdout).toMatch(/^name +Rivermouth$/m);
    expect(bare.stdout).not.toContain('template');
    expect(await cli.run(['brand', 'set', '--logo', join(cli.dataDir, 'gone.svg')])).toMatchObject({
      code: 1,
      stderr: someText(/--logo .*gone\.svg/),
    });
    expect((await cli.run(['brand', 'delete'])).stdout).toBe('deleted');
    expect((await cli.run(['brand', 'delete'])).stdout).toBe('no brand');
  });

  it('create a trigger whose tasks wait only so long for a person', async () => {
    const create = ['trigger', 'create', '--name', 'Bugs', '--template', 'Look into it'];
    const { trigger } = await cli.runJson([...create, '--decision-timeout', '600', '--decision-answer', 'the newest']);
    expect(trigger).toMatchObject({ name: 'Bugs', decision_timeout: { seconds: 600, answer: 'the newest' } });
    expect(await cli.run([...create, '--decision-answer', 'the newest'])).toMatchObject({
      code: 64,
      stderr: someText(/--decision-timeout/),
    });
  });

  it('list linked identities, and unlink them', async () => {
    const issuer = 'https://login.example.com/o/errand/';
    expect(await cli.run(['identity', 'link', '--subject', 'ann'])).toMatchObject({
      code: 1,
      stderr: someText(/^errand: issuer: /),
    });
    const linked = await cli.runJson(['identity', 'link', '--subject', 'ann', '--issuer', issuer]);
    expect(linked).toMatchObject({ code: 0, issuer: issuer.slice(0, -1), subject: 'ann' });
    const taken = ['identity', 'link', '--subject', 'another', '--issuer', issuer];
    expect(await cli.run(taken)).toMatchObject({ code: 1, stderr: someText(/another identity of this provider/) });
    expect((await cli.run(['identity', 'list'])).stdout).toMatch(/login\.example\.com\/o\/errand +ann +never$/);
    expect((await cli.run(['identity', 'unlink', issuer.slice(0, -1)])).code).toBe(0);
    expect((await cli.run(['identity', 'unlink', issuer])).code).toBe(1);
    expect(await cli.run(['identity', 'link'])).toMatchObject({ code: 64, stdout: '' });
    expect(await cli.run(['account', 'sign-out'])).toMatchObject({ code: 0, stderr: 'signed out of 0 browsers' });
  });

  it('create and change projects and the agent', async () => {
    const made = await cli.run(['project', 'create', '--name', 'Reports', '--instruction', 'In French.']);
    expect(made).toMatchObject({ code: 0, stdout: someText(/^[0-9A-Za-z]{22}$/), stderr: '' });
    expect((await cli.run(['project', 'list'])).stdout).toMatch(/^ID .*\n[0-9A-Za-z]{22} .* {2}Reports$/);
    const changed = await cli.runJson(['project', 'update', made.stdout, '--actions', 'refuse', '--name', 'R']);
    expect(changed.project).toMatchObject({ id: made.stdout, name: 'R', instruction: 'In French.', actions: 'refuse' });
    expect(await cli.run(['project', 'create'])).toMatchObject({ code: 64, stdout: '' });
    expect((await cli.run(['agent', 'update', '--nickname', 'Ada', '--about', 'Looks after the library.'])).code).toBe(0);
    expect((await cli.run(['agent', 'show'])).stdout).toMatch(/nickname +Ada\nmain task +[0-9A-Za-z]{22}\n\nLooks after/);
  });

  it('add skills as folders and as text, and delete them', async () => {
    const folder = join(cli.dataDir, 'tea');
    mkdirSync(join(folder, 'scripts'), { recursive: true });
    expect(await cli.run(['skill', 'add', folder])).toMatchObject({ code: 1, stderr: someText(/has no SKILL\.md$/) });
    writeFileSync(join(folder, 'SKILL.md'), skillText);
    writeFileSync(join(folder, 'scripts', 'pour.txt'), 'slowly');
    const added = await cli.run(['skill', 'add', folder]);
    expect(added).toMatchObject({ code: 0, stderr: 'tea: How to make tea.' });
    expect((await cli.runJson(['skill', 'add', join(folder, 'SKILL.md')])).skill).toMatchObject({ id: added.stdout });
    expect((await cli.run(['skill', 'list'])).stdout).toContain(`${added.stdout}  personal  tea`);
    expect((await cli.runJson(['skill', 'delete', added.stdout])).deleted).toBe(true);
    expect((await cli.run(['skill', 'list'])).stdout).not.toContain('personal');
  });

  it('connect servers with their keys, check and remove them', async () => {
    server.controls.apiKey = 'canary';
    expect(await cli.run(['connector', 'add', server.url, '--name', 'Garden'])).toMatchObject({ code: 1, stdout: '' });
    const added = await cli.run(['connector', 'add', server.url, '--name', 'Garden', '--header', 'x-api-key: canary']);
    const { stdout: id, stderr } = added;
    expect(stderr).toContain('plant');
    expect((await cli.run(['connector', 'list'])).stdout).toContain(`${id}  connected  4      Garden`);
    expect(await cli.run(['connector', 'check', id])).toMatchObject({ code: 0, stdout: 'connected' });
    server.controls.apiKey = 'another';
    expect(await cli.run(['connector', 'check', id])).toMatchObject({ code: 1, stdout: 'failing' });
    expect(await cli.runJson(['connector', 'delete', id])).toMatchObject({ code: 0, id, deleted: true });
    await using front = await McpOauthFront.start();
    const waiting = await cli.run(['connector', 'add', front.url, '--name', 'Signed']);
    expect(waiting).toMatchObject({ code: 0, stderr: someText(/sign in there.* \/connectors /) });
    expect((await cli.run(['connector', 'list'])).stdout).toContain('needs_sign_in');
  });

  it('list and decide what waits in the inbox', async () => {
    const { stdout: taskId } = await cli.run(['task', 'create', 'ask which colour?\nsay done', '--interactive']);
    expect((await cli.run(['task', 'watch', taskId])).code).toBe(2);
    const listed = await cli.run(['inbox', 'list', '--type', 'question']);
    expect(listed.stdout).toMatch(new RegExp(`^ID .*\\n${taskId}-\\d+  question .*which colour\\?$`));
    const [id = ''] = /[0-9A-Za-z]{22}-\d+/.exec(listed.stdout) ?? [];
    const [accountId = ''] = /[0-9A-Za-z]{22}/.exec((await cli.run(['account', 'list'])).stdout) ?? [];
    expect(await cli.run(['inbox', 'assign', id, '--to', accountId])).toMatchObject({ code: 0, stdout: `assigned ${id}` });
    expect(await cli.runJson(['inbox', 'list'])).toMatchObject({ data: [{ id, assignee: accountId }] });
    expect(await cli.run(['inbox', 'assign', id, '--nobody'])).toMatchObject({ code: 0, stdout: `unassigned ${id}` });
    expect(await cli.run(['inbox', 'assign', id])).toMatchObject({ code: 64, stderr: someText(/--to ACCOUNT or --nobody/) });
    expect(await cli.run(['inbox', 'decide', id, '--accept', '--reject'])).toMatchObject({ code: 64 });
    expect(await cli.run(['inbox', 'decide', id, '--answer', 'Blue.'])).toMatchObject({ code: 0, stdout: `decided ${id}` });
    expect(await cli.run(['inbox', 'decide', id, '--answer', 'Red.'])).toMatchObject({
      code: 1,
      stderr: someText(/decided already/),
    });
    expect(await cli.run(['inbox', 'list'])).toMatchObject({ code: 0, stderr: 'nothing waits' });
    expect((await cli.run(['inbox', 'list', '--decided'])).stdout).toContain(id);
  });

  it('write, read, and restore memory', async () => {
    const file = join(cli.dataDir, 'people.md');
    writeFileSync(file, 'Ada prefers short reports.\n');
    const write = ['memory', 'write', 'people.md', '--file', file];
    expect(await cli.run([...write, '--if-version', '0'])).toMatchObject({ code: 0, stdout: 'wrote version 1 of people.md' });
    expect(await cli.run([...write, '--if-version', '0'])).toMatchObject({ code: 1, stderr: someText(/^errand: if_version: /) });
    expect((await cli.run(['memory', 'list'])).stdout).toMatch(/^VERSION .*\n1 +27 +2\d{3}-.* operator +people\.md$/);
    expect((await cli.run(['memory', 'read', 'people.md'])).stdout).toBe('Ada prefers short reports.');
    expect((await cli.run(['memory', 'delete', 'people.md'])).stdout).toBe('deleted people.md');
    expect((await cli.run(['memory', 'versions', 'people.md'])).stdout).toMatch(/^VERSION .*\n2 .*deleted\n1 .*written$/);
    expect(await cli.run(['memory', 'restore', '--at', '2020-01-01T00:00Z'])).toMatchObject({ stderr: 'nothing to change' });
    expect(await cli.run(['memory', 'restore', '--at', 'soon'])).toMatchObject({ code: 64 });
    expect(await cli.run(['memory', 'list', '--project', 'a', '--agent', 'b'])).toMatchObject({ code: 64 });
    expect(await cli.run(['memory', 'list', '--agent', 'agent-default'])).toMatchObject({ code: 0, stderr: 'no files' });
  });

  it("allow or deny a task's pending action", async () => {
    const ask = async () => (await cli.run(['task', 'create', 'run rm -r /memory/nothing\nsay done', '--interactive'])).stdout;
    const [first, second] = [await ask(), await ask()];
    for (const id of [first, second]) expect((await cli.run(['task', 'watch', id])).code).toBe(2);
    expect(await cli.runJson(['task', 'confirm', first, '--always'])).toMatchObject({ task_id: first, confirmed: true });
    const refused = await cli.run(['task', 'confirm', second, '--reject']);
    expect(refused).toMatchObject({ code: 0, stdout: second, stderr: someText(/^rejected: .*rm -r \/memory\/nothing/) });
    for (const id of [first, second]) expect((await cli.run(['task', 'watch', id])).code).toBe(0);
    expect(await cli.run(['task', 'confirm', first])).toMatchObject({
      code: 1,
      stderr: 'errand: the task is not waiting for anything',
    });
  });
});
