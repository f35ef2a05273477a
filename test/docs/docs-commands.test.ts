import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { compiledCode, program } from '../support/process/compiled-code.ts';
import { LocalService } from '../support/service/local-service.ts';
import { WebBrowser } from '../support/http/scriptless-browser.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const password = 'correct horse battery';

interface Block {
  page: string;
  language: string;
  text: string;
}

function readPage(page: string): Block[] {
  const text = readFileSync(path.join(checkout, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({ page, language, text: block }));
}

function findBlock(page: string, begins: string): string {
  const block = readPage(page).find(({ text }) => text.startsWith(begins));
  if (!block) throw new Error(`${page} has no block that begins with ${begins}`);
  return block.text;
}

/** Every page of the documentation. */
function listPages(): string[] {
  const names = readdirSync(path.join(checkout, 'docs'), { recursive: true, encoding: 'utf8' });
  const inDocs = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...inDocs];
}

/** Blocks that nothing runs as they stand, by page and beginning, with the reason or with the test that has more of them. */
const leftOut: readonly [page: string, begins: string, because: string][] = [
  ['README.md', 'npm ci\n', 'the gate itself begins with it; test/cli/run.test.ts does the task'],
  ['README.md', 'npm start\n', 'test/cli/serve.test.ts'],
  ['CONTRIBUTING.md', 'npm ci\n', 'the gate itself begins with it'],
  ['CONTRIBUTING.md', 'ERRAND_TEST_DATABASE_URL', 'needs a server of the reader'],
  ['docs/errors/README.md', '{"ok": false', 'an answer of the API: test/http/http-edge.test.ts'],
  ['docs/internals/comparison.md', 'npm ci', 'brings what Errand is measured beside'],
  ['docs/operate/backup.md', 'ERRAND_BACKUP_PASSPHRASE_FILE', 'writes outside the test: test/instance/backup.test.ts'],
  [
    'docs/build/projects.md',
    'pip install',
    'a script of a project, with packages of others: test/projects/project-setup.test.ts',
  ],
  ['docs/operate/accounts.md', 'errand account export', 'needs two instances: test/instance/account-archive.test.ts'],
  ['docs/operate/backup.md', 'errand backup', 'writes outside the test: test/instance/backup-upkeep.test.ts'],
  ['docs/build/connectors.md', 'errand connector read-api', 'needs an API: test/connectors/api-connectors.test.ts'],
  ['docs/build/connectors.md', 'npm install', 'brings a package of others: test/connectors/stdio-connectors.test.ts'],
  ['docs/build/streaming.md', 'POST /v2/task.token', 'a request by its path: test/tasks/task-token.test.ts'],
  ['docs/operate/models.md', 'errand model set', 'needs keys of providers: test/instance/connected-models.test.ts'],
  ['docs/operate/models.md', 'errand model-key set', 'needs keys of providers: test/instance/own-models.test.ts'],
  ['docs/operate/models.md', 'ERRAND_MODEL=anthropic', 'needs keys of providers: src/agent/model-fallback.test.ts'],
  ['docs/operate/models.md', 'ERRAND_IMAGE_MODEL', 'needs a server of the reader: test/artifacts/made-images.test.ts'],
  ['docs/build/oauth-applications.md', '{"access_token"', 'the answer to a command that is run'],
  ['docs/build/oauth-applications.md', '{"device_code"', 'the answer to a command that is run'],
  ['docs/build/oauth-applications.md', 'errand login', 'waits for a browser: test/cli/login.test.ts'],
  [
    'docs/operate/performance.md',
    'npm run bench',
    'takes a quarter of an hour: test/bench/smoke.test.ts takes every measure quickly',
  ],
  ['docs/start/quickstart.md', 'export URL', 'what docs.test.ts gives the examples'],
  ['docs/operate/reliability.md', 'npm test', 'would run these tests within themselves'],
  ['docs/operate/self-hosting.md', 'sudo -u errand', 'needs the Debian package: test/cli/debian-package.test.ts'],
  [
    'docs/operate/self-hosting.md',
    "ERRAND_BOOTSTRAP_PASSWORD='a long",
    'needs a container engine: test/instance/container.test.ts holds what can be held without one',
  ],
  ['docs/operate/self-hosting.md', 'docker build', 'needs a container engine'],
  [
    'docs/operate/self-hosting.md',
    'cd deploy/compose',
    'needs a container engine: test/instance/cluster-composition.test.ts holds what can be held without one',
  ],
  ['docs/operate/self-hosting.md', 'kubectl create', 'needs a cluster: test/instance/helm-chart.test.ts renders the chart'],
  ['docs/operate/self-hosting.md', 'docker compose build', 'needs a container engine'],
  ['docs/operate/self-hosting.md', 'server {', 'settings of another program'],
  ['docs/operate/self-hosting.md', 'errand.example.com {', 'settings of another program'],
  ['docs/operate/storage.md', 'UPDATE tasks', 'an excerpt of the code'],
  ['docs/operate/storage.md', 'ERRAND_DATABASE_URL', 'needs a server and a pooler: test/instance/pooler.test.ts'],
  ['docs/operate/storage.md', '; pgbouncer.ini', 'needs a server and a pooler: test/instance/pooler.test.ts'],
  ['docs/build/testing.md', 'export ERRAND_FIXED_TIME', 'serves until it is stopped: test/instance/fixed-time.test.ts'],
  ['docs/operate/backup.md', 'archive_mode', 'needs a server of its own: test/instance/postgres-point-in-time.test.ts'],
  ['docs/operate/backup.md', 'pg_basebackup', 'needs a server of its own: test/instance/postgres-point-in-time.test.ts'],
  ['docs/operate/backup.md', 'export AT', 'needs a server of its own: test/instance/postgres-point-in-time.test.ts'],
  ['docs/build/webhooks.md', '', 'test/docs/webhook-docs.test.ts'],
  ['docs/build/python-and-go.md', '', 'test/clients/other-languages.test.ts'],
  ['docs/operate/upgrades.md', 'errand workspace', 'needs packed workspaces: test/instance/unpacked-workspaces.test.ts'],
  ['docs/operate/workers.md', 'errand worker', 'needs a worker that runs: test/instance/workers.test.ts'],
  ['docs/reference/README.md', '/** Webhooks', 'a comment, as an example of a citation'],
];

/** Pages whose blocks docs.test.ts runs, all of the given languages. */
const runElsewhere: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['sh'],
  'docs/build/files.md': ['sh'],
  'docs/build/requests.md': ['sh'],
  'docs/build/client.md': ['ts'],
  'docs/build/v1-and-openai.md': ['ts'],
  'docs/start/quickstart.md': ['sh', 'ts', 'python'],
};

/** Blocks that are run below. */
const runHere: readonly [page: string, begins: string][] = [
  ['docs/operate/access.md', 'errand key create'],
  ['docs/operate/access.md', 'errand team create'],
  ['docs/operate/accounts.md', 'errand account create'],
  ['docs/operate/accounts.md', 'errand account owner'],
  ['docs/build/running-tasks.md', 'errand account quota'],
  ['docs/build/running-tasks.md', 'errand limit set'],
  ['docs/operate/accounts.md', 'errand key create --instance'],
  ['docs/build/oauth-applications.md', 'errand app create'],
  ['docs/build/oauth-applications.md', 'verifier='],
  ['docs/build/oauth-applications.md', 'curl'],
  ['docs/build/budgets.md', ''],
  ['docs/build/mcp.md', '{'],
  ['docs/build/recipes.md', ''],
  ['docs/build/schedules.md', ''],
  ['docs/build/triggers.md', ''],
  ['docs/operate/self-hosting.md', 'curl'],
  ['docs/operate/self-hosting.md', 'ERRAND_'],
  ['docs/operate/sign-in.md', 'ERRAND_'],
  ['docs/build/structured-output.md', ''],
  ['docs/operate/usage-and-credits.md', 'ERRAND_'],
];

it('every block of the documentation is run by a test, or is listed here with a reason', () => {
  const isListed = ({ page, language, text }: Block) =>
    [...leftOut, ...runHere].some(([place, begins]) => place === page && text.startsWith(begins)) ||
    runElsewhere[page]?.includes(language);
  const blocks = listPages().flatMap(readPage);
  expect(blocks.filter((block) => !isListed(block))).toEqual([]);
  for (const [page, begins] of [...leftOut, ...runHere]) findBlock(page, begins);
});

it('settings in the documentation are valid', () => {
  const lines = ['docs/operate/self-hosting.md', 'docs/operate/sign-in.md', 'docs/operate/usage-and-credits.md', 'README.md']
    .flatMap(readPage)
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
  const given = lines.filter((line) => line.startsWith('ERRAND_'));
  expect(given.length).toBeGreaterThan(5);
  for (const line of given) {
    const pairs = [...line.replaceAll('…', 'canary-canary').matchAll(/(ERRAND_\w+)=('[^']*'|\S+)/g)];
    const env = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replaceAll("'", '')]));
    expect([line, readConfig(env).warnings]).toEqual([line, []]);
  }
});

describe('commands of the documentation', () => {
  let service: LocalService;
  const folder = createFolder('docs');
  beforeAll(async () => {
    service = await LocalService.start({ env: { ERRAND_RATE_LIMITS: 'off', ERRAND_BOOTSTRAP_PASSWORD: password } });
  });
  afterAll(async () => {
    await service.end();
    removeFolder(folder);
  });

  /** What a shell prints that stops at the first mistake; `errand` is this checkout's, on the data folder of the service. */
  async function runShell(script: string, more: Record<string, string> = {}): Promise<string> {
    const here = script.replaceAll(/http:\/\/(localhost|127\.0\.0\.1):7070/g, service.url);
    const errand = `errand() { ${JSON.stringify(process.execPath)} ${JSON.stringify(path.join(checkout, program))} "$@"; }\n`;
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      ...compiledCode,
      KEY: service.apiKey,
      ERRAND_DATA_DIR: service.dataDir,
      ...more,
    };
    const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', errand + here.replaceAll(/^curl/gm, 'curl -s')], {
      cwd: folder,
      env,
      timeout: 800_000,
    });
    return stdout;
  }

  it('make a team and add a member', async () => {
    await runShell('errand account create --email ann@example.com && errand account create --email bob@example.com');
    const [create = '', invite = '', accept = ''] = findBlock('docs/operate/access.md', 'errand team').split('\n');
    await runShell(create);
    const token = (await runShell(invite)).trim();
    await runShell(accept.replace('TOKEN', token));
    expect(await runShell('errand team members --team Research')).toMatch(/ admin .*bob@example\.com/);
  });

  it('make a key with limits', async () => {
    const key = (await runShell(findBlock('docs/operate/access.md', 'errand key'))).trim();
    const create = { method: 'POST', body: '{}', headers: { 'x-service-api-key': key } };
    expect((await fetch(`${service.url}/v2/task.create`, create)).status).toBe(403);
    expect(await runShell('errand key list')).toMatch(/ read_only .*dashboard/);
  });

  it('make an account and delete it, and make an instance key and revoke it', async () => {
    const owners = findBlock('docs/operate/accounts.md', 'errand account owner');
    expect(await runShell(owners)).toContain('ann@example.com');
    const limits = findBlock('docs/build/running-tasks.md', 'errand limit');
    expect(await runShell(limits)).toContain('20');
    await runShell(findBlock('docs/build/running-tasks.md', 'errand account quota'));
    const accounts = findBlock('docs/operate/accounts.md', 'errand account create').replaceAll(
      'ann@example.com',
      'eve@example.com',
    );
    expect(await runShell(accounts)).toMatch(/eve@example\.com/);
    const [create = '', list = '', revoke = ''] = findBlock('docs/operate/accounts.md', 'errand key').split('\n');
    await runShell(create);
    const id = /^(\S+) .*reseller/m.exec(await runShell(list))?.[1] ?? '';
    expect(id).not.toBe('');
    await runShell(revoke.replace('KEY_ID', id));
    expect(await runShell(list)).not.toContain('reseller');
  });

  it('register an application and connect it', async () => {
    const [, id = '', secret = ''] =
      /client_id\s+(\S+)[\s\S]*client_secret\s+(\S+)/.exec(
        await runShell(findBlock('docs/build/oauth-applications.md', 'errand app')),
      ) ?? [];
    const known = { CLIENT_ID: id, CLIENT_SECRET: secret };
    const output = await runShell(`${findBlock('docs/build/oauth-applications.md', 'verifier=')}echo $verifier`, known);
    const [address = '', verifier = ''] = output.trim().split('\n');
    const browser = new WebBrowser(service.url);
    const { pathname, search } = new URL(address);
    const page = await browser.signIn('owner@localhost', password, pathname + search);
    const { location } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    const code = new URL(location).searchParams.get('code') ?? '';
    const [exchange = '', use = '', device = ''] = readPage('docs/build/oauth-applications.md').flatMap(({ text }) =>
      text.startsWith('curl') ? [text] : [],
    );
    const answer = await runShell(exchange, { ...known, CODE: code, verifier });
    const tokens = JSON.parse(answer) as Record<string, string>;
    expect(Object.keys(tokens)).toEqual(
      Object.keys(JSON.parse(findBlock('docs/build/oauth-applications.md', '{"access')) as object),
    );
    expect(await runShell(use, { ACCESS_TOKEN: tokens.access_token ?? '' })).toContain('"ok":true');

    const made = await runShell(
      'errand app create --name Device --redirect-uri https://d.example/ --scope create_task --public-client --json',
    );
    const { client_id: publicId } = JSON.parse(made) as { client_id: string };
    const begun = JSON.parse(await runShell(device, { CLIENT_ID: publicId })) as object;
    expect(begun).toMatchObject({ expires_in: 600, interval: 5, verification_uri: expect.stringMatching(/\/device$/) as string });
  });

  it('create tasks, also with structured output, and report errors in a schema', async () => {
    expect(await runShell(findBlock('docs/operate/self-hosting.md', 'curl'))).toContain('"ok":true');
    const ask = async (structured_output_schema: unknown) => {
      const response = await fetch(`${service.url}/v2/task.create`, {
        method: 'POST',
        headers: { 'x-service-api-key': service.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ message: { content: 'say hello' }, structured_output_schema }),
      });
      return (await response.json()) as { ok: boolean; error?: { message: string } };
    };
    const [schema, problem] = readPage('docs/build/structured-output.md').map(({ text }) => text);
    expect(await ask(JSON.parse(schema ?? ''))).toMatchObject({ ok: true });
    const properties = { price: { type: 'number', minimum: 1 } };
    const wrong = { type: 'object', properties, required: ['price'], additionalProperties: false };
    expect((await ask(wrong)).error?.message).toBe(problem?.trim());
  });

  it('make a recipe and run it', async () => {
    const [make = '', use = '', digest = '', later = ''] = readPage('docs/build/recipes.md').map(({ text }) => text);
    const { recipe } = JSON.parse(await runShell(make)) as { recipe: { id: string } };
    expect((await runShell(use, { RECIPE: recipe.id })).trim()).toMatch(/^\w{22}$/);
    expect((await runShell(digest)).trim()).toMatch(/^\w{22}$/);
    expect((await runShell(later, { RECIPE: recipe.id })).trim()).toMatch(/^\w{22}\nhttp\S+\/t\/\S+$/);
  });

  it('make a task with a budget and raise it', async () => {
    const [make = '', raise = '', outer = ''] = readPage('docs/build/budgets.md').map(({ text }) => text);
    const { task_id: TASK } = JSON.parse(await runShell(make)) as { task_id: string };
    expect(JSON.parse(await runShell(raise, { TASK }))).toMatchObject({ ok: true, task_id: TASK });
    expect(await runShell(outer)).toMatch(/^account +\w{22} +month +\d+ +\d+ +1000 /m);
  });

  it('make schedules and list them', async () => {
    const [make = '', commands = ''] = readPage('docs/build/schedules.md').map(({ text }) => text);
    const { schedule } = JSON.parse(await runShell(make)) as { schedule: { id: string } };
    const lines = (await runShell(commands)).trim().split('\n');
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${schedule.id} .* Europe/Berlin .*Report`)));
    expect(lines.at(-1)).toMatch(/^\w{22}$/);
  });

  it('make a trigger and send to it', async () => {
    const [create = '', send = ''] = readPage('docs/build/triggers.md').map(({ text }) => text);
    const [address = '', secret = ''] = (await runShell(create)).trim().split('\n');
    const sent = { TRIGGER_URL: address, SECRET: secret };
    const [first, second] = [await runShell(send, sent), await runShell(send, sent)].map(
      (answer) => JSON.parse(answer) as Record<string, unknown>,
    );
    expect(first).toMatchObject({ ok: true, task_id: expect.stringMatching(/^\w{22}$/) as string });
    expect(second).toMatchObject({ ok: true, duplicate: true, task_id: first?.task_id });
  });

  it('start an MCP server with the documented tools', async () => {
    const settings = findBlock('docs/build/mcp.md', '{')
      .replace('http://localhost:7070', service.url)
      .replace('sk-…', service.apiKey);
    const { errand } = (JSON.parse(settings) as { mcpServers: Record<'errand', { args: string[]; env: Record<string, string> }> })
      .mcpServers;
    const about = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'docs', version: '1' } };
    const sent = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: about },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ];
    const lines = sent.map((message) => JSON.stringify(message)).join('\n');
    const output = await runShell(`printf '%s\\n' "$SENT" | errand ${errand.args.join(' ')}`, { ...errand.env, SENT: lines });
    const text = output.split('\n').find((line) => line.includes('"id":2')) ?? '{}';
    const { result } = JSON.parse(text) as { result: { tools: { name: string }[] } };
    const named = [...readFileSync(path.join(checkout, 'docs/build/mcp.md'), 'utf8').matchAll(/`([a-z]+_[a-z]+)`/g)].map(
      ([, name = '']) => name,
    );
    expect(result.tools.map(({ name }) => name).toSorted()).toEqual([...new Set(named)].toSorted());
  });
});
