import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { LocalService } from '../support/service/local-service.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(checkout, 'examples');
const python = '/usr/bin/python3';
const folder = createFolder('examples');

let service: LocalService;
beforeAll(async () => {
  const settings = { ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8', ERRAND_WEBHOOK_ALLOW_HTTP: 'true', ERRAND_RATE_LIMITS: 'off' };
  service = await LocalService.start({ env: settings });
});
afterAll(async () => {
  await service.end();
  removeFolder(folder);
});

describe('the example for Next.js', () => {
  it('starts a task for a user, whose browser follows it with the token', async () => {
    // As Next.js bundles it, with the client by its name.
    const source = readFileSync(join(examples, 'nextjs/app/api/errand/route.ts'), 'utf8');
    const route = join(folder, 'route.ts');
    writeFileSync(route, source.replace("'@errand/client'", JSON.stringify(join(checkout, 'packages/client/src/index.ts'))));
    const program = `import { POST } from ${JSON.stringify(route)};
      const body = JSON.stringify({ text: 'say hello', userId: 'user-1' });
      console.log(await (await POST(new Request('http://localhost/api/errand', { method: 'POST', body }))).text());`;
    writeFileSync(join(folder, 'program.ts'), program);
    const { stdout } = await run(process.execPath, [join(folder, 'program.ts')], {
      env: { PATH: process.env.PATH, ERRAND_URL: service.url, ERRAND_API_KEY: service.apiKey },
    });
    const { url, taskId, token } = JSON.parse(stdout) as { url: string; taskId: string; token: string };
    const task = await fetch(`${url}/v2/task.detail?task_id=${taskId}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await task.json()).toMatchObject({ task: { external_user_id: 'user-1' } });
    expect(token).toMatch(/^et_/);
  });
});

describe('the example for GitHub', () => {
  const play = async (message: string) => {
    const output = join(folder, `output-${message.length}`);
    writeFileSync(output, '');
    const env = {
      ...{ PATH: '/usr/bin:/bin', GITHUB_OUTPUT: output, ERRAND_TIMEOUT_MINUTES: '2' },
      ...{ ERRAND_URL: service.url, ERRAND_API_KEY: service.apiKey, ERRAND_MESSAGE: message },
    };
    const ended = await run(python, [join(examples, 'github-action/run.py')], { env }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
    );
    return { ...ended, output: readFileSync(output, 'utf8') };
  };

  it('runs a task and gives its last message', async () => {
    const { code, output } = await play('say Hello\nsay from the action');
    expect(code).toBe(0);
    expect(output).toMatch(/^task-id<<\w+\n\w{22}\n\w+\nmessage<<\w+\nHello\nfrom the action\n\w+\n$/);
  });

  it('fails with the task', async () => {
    const { code, text } = await play('fail out of luck');
    expect([code, text]).toEqual([1, expect.stringContaining('out of luck') as string]);
  });

  it('names every input that the script reads', () => {
    const action = readFileSync(join(examples, 'github-action/action.yml'), 'utf8');
    const script = readFileSync(join(examples, 'github-action/run.py'), 'utf8');
    for (const [name] of script.matchAll(/ERRAND_[A-Z_]+/g)) expect(action).toContain(`${name}: \${{ inputs.`);
  });
});

describe('the example for n8n', () => {
  interface Node {
    name: string;
    type: string;
    parameters: { method?: string; url?: string; jsonBody?: string; headerParameters?: { parameters: Record<string, string>[] } };
  }

  it('has requests that work, in the order of its connections', async () => {
    const workflow = JSON.parse(readFileSync(join(examples, 'n8n/workflow.json'), 'utf8')) as {
      nodes: Node[];
      connections: Record<string, { main: { node: string }[][] }>;
    };
    const results = new Map<string, Record<string, unknown>>();
    // The expressions that it uses, as n8n reads them.
    const fill = (text: string) =>
      text
        .replace(/^=/, '')
        .replaceAll('{{ $vars.ERRAND_URL }}', service.url)
        .replaceAll('{{ $vars.ERRAND_API_KEY }}', service.apiKey)
        .replaceAll(/\{\{ \$\('([^']+)'\)\.item\.json\.(\w+) \}\}/g, (_, node: string, field: string) =>
          String(results.get(node)?.[field]),
        );
    let last: Record<string, unknown> = {};
    const perform = async ({ name, type, parameters }: Node): Promise<number> => {
      if (type === 'n8n-nodes-base.if') return (last.task as { status: string }).status === 'running' ? 0 : 1;
      if (type !== 'n8n-nodes-base.httpRequest') return 0;
      const headers = Object.fromEntries(
        (parameters.headerParameters?.parameters ?? []).map(({ name: header = '', value = '' }) => [header, fill(value)]),
      );
      const response = await fetch(fill(parameters.url ?? ''), {
        method: parameters.method ?? 'GET',
        headers: { ...headers, 'content-type': 'application/json' },
        ...(parameters.jsonBody !== undefined && { body: parameters.jsonBody }),
      });
      expect([name, response.status]).toEqual([name, 200]);
      last = (await response.json()) as Record<string, unknown>;
      results.set(name, last);
      return 0;
    };
    for (let at: string | undefined = 'Start'; at !== undefined; ) {
      const node: Node = workflow.nodes.find(({ name }) => name === at) ?? expect.fail(`no node ${at}`);
      const way = await perform(node);
      at = workflow.connections[at]?.main[way]?.[0]?.node;
    }
    expect(JSON.stringify(last)).toContain('hello.md');
  });
});

describe('the example for LiteLLM', () => {
  it('names a model and a path that the service has', async () => {
    const config = readFileSync(join(examples, 'litellm/config.yaml'), 'utf8');
    const [, model = ''] = /model: openai\/(\S+)/.exec(config) ?? [];
    const response = await fetch(`${service.url}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'say hello' }),
    });
    expect(response.status).toBe(200);
  });
});

const hasFastApi = ['fastapi', 'uvicorn', 'httpx'].every((name) => existsSync(`/usr/lib/python3/dist-packages/${name}`));

describe.runIf(hasFastApi)('the example for FastAPI', () => {
  it('starts a task for a user and receives its verified result', async () => {
    const client = new ServiceClient(service);
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const url = `http://127.0.0.1:${port}`;
    const start = (webhookSecret: string) =>
      spawn(python, ['-m', 'uvicorn', 'main:app', '--port', String(port)], {
        cwd: join(examples, 'fastapi'),
        env: {
          ...{ PATH: '/usr/bin:/bin', PYTHONPATH: join(checkout, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' },
          ...{ ERRAND_URL: service.url, ERRAND_API_KEY: service.apiKey, ERRAND_WEBHOOK_SECRET: webhookSecret },
        },
        stdio: 'ignore',
      });
    const isUp = () =>
      eventually('the program answers', async () => {
        const answer = await fetch(`${url}/tasks/x`).catch(() => null);
        return answer?.ok === true ? true : null;
      });
    const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const program = start(secret);
    try {
      await isUp();
      const made = await fetch(`${url}/users/ann/tasks`, { method: 'POST', body: 'say hello' });
      const { task_id } = (await made.json()) as { task_id: string };
      expect(await client.ask('task.detail', { task_id })).toMatchObject({ task: { external_user_id: 'ann' } });
      const detail = { task_id, task_title: 't', task_url: 'u', message: 'hello', attachments: [] };
      const body = JSON.stringify({ event_id: 'e', event_type: 'task_stopped', task_detail: detail });
      const deliver = (key: string) => {
        const headers = { 'webhook-id': 'e', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
        const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
        const signature = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
          .update(signed)
          .digest('base64');
        return fetch(`${url}/errand`, { method: 'POST', body, headers: { ...headers, 'webhook-signature': `v1,${signature}` } });
      };
      expect((await deliver(`whsec_${Buffer.alloc(24, 2).toString('base64')}`)).status).toBe(401);
      expect((await deliver(secret)).status).toBe(200);
      expect(await (await fetch(`${url}/tasks/${task_id}`)).json()).toEqual({ result: 'hello' });
    } finally {
      program.kill();
    }
  });
});
