import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { type Broadcast, LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { noRegistries } from '../../src/rules/egress/package-registries.ts';
import { previewTopic } from '../../src/rules/previews/preview-address.ts';
import { PostgresBroadcast } from '../../src/store/db/signals/postgres-broadcast.ts';
import { standardTools } from '../../src/tools/standard-tools.ts';
import { TaskResources } from '../../src/tools/toolbox/task-resources.ts';
import { createToolbox } from '../../src/tools/toolbox/toolbox.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { describeStores } from '../support/db/databases.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { hostileServer } from '../support/previews/hostile-server.ts';
import { type PreviewVisit, visitPreview } from '../support/previews/preview-visitor.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { toolContext } from '../support/tasks/tool-context.ts';

/** A worker that holds tasks, and runs commands in their sandboxes. */
class Worker {
  readonly base = createFolder('previews');
  readonly resources = new Map<string, TaskResources>();
  readonly #toolbox;

  constructor(channel: Broadcast) {
    const way = { policy: { kind: 'none' } as const, registries: noRegistries, log: silentLog, channel };
    this.#toolbox = createToolbox(standardTools(systemClock, testSandbox, way), silentLog);
  }

  async shell(taskId: string, command: string, background = false): Promise<string> {
    const resources = this.resources.get(taskId) ?? new TaskResources();
    this.resources.set(taskId, resources);
    const workspace = openWorkspace(join(this.base, 'acc', taskId));
    const context = toolContext(workspace, { resources, taskId });
    return (await this.#toolbox.runCall({ tool: 'run_shell', input: { command, background } }, context)).output;
  }

  /** Starts the server, and returns once it listens. */
  async serve(taskId: string, program = hostileServer): Promise<void> {
    await this.shell(taskId, `cat >server.js <<'END'\n${program}\nEND`);
    await this.shell(taskId, 'node server.js', true);
    await this.shell(taskId, 'until (: <>/dev/tcp/127.0.0.1/3001) 2>/dev/null; do sleep 0.05; done');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.resources.values()].map((resources) => resources.abandon()));
    removeFolder(this.base);
  }
}

interface Preview {
  port: number;
  url: string;
  expires_at: number;
}

describe.skipIf(!testSandbox)('servers in sandboxes', () => {
  describeStores('task.listPreviews and the addresses that it names', (store) => {
    let channel: LocalBroadcast;
    let api: ApiUnderTest;
    let worker: Worker;
    let taskId: string;
    beforeEach(async () => {
      channel = new LocalBroadcast();
      api = await ApiUnderTest.start(store.database, { channel });
      worker = new Worker(channel);
      taskId = await api.createTask('x');
    });
    afterEach(async () => {
      await worker[Symbol.asyncDispose]();
      await api.stop();
    });

    const listAs = async (accountId: string, id = taskId) => {
      const { headers } = await addSession(store.database, accountId);
      const response = await api.fetch(`/web/task.listPreviews?task_id=${id}`, {}, { key: null, headers });
      return { status: response.status, data: ((await response.json()) as { data: Preview[] }).data };
    };
    const urlOf = async (port = 3000) => {
      const { data } = await listAs(api.owner.accountId);
      return data.find((one) => one.port === port)?.url ?? 'none';
    };
    const visit = async (path: string, options?: PreviewVisit) => visitPreview((await urlOf()).replace(/\/$/, path), options);

    it('show the owner what the server answers, as long as it lives and the task is held', async () => {
      expect(await listAs(api.owner.accountId)).toEqual({ status: 200, data: [] });
      await worker.serve(taskId);
      const { data } = await listAs(api.owner.accountId);
      expect(data.map(({ port }) => port)).toEqual([3000, 3001]);
      const [{ url, expires_at: end } = { url: '', expires_at: 0 }] = data;
      expect(end * 1000).toBeGreaterThan(Date.now() + 5 * 3_600_000);
      expect(await urlOf()).toBe(url);
      expect(new URL(url).hostname).toMatch(/^[0-9a-v]{60}\.localhost$/);
      const page = await visitPreview(url);
      expect([page.status, page.text]).toEqual([200, '<h1>Hello from the sandbox</h1>']);
      const name = new URL(url).hostname.split('.', 1)[0] ?? '';
      const inFolder = `${api.http.contentUrl()}/previews/${name}`;
      expect((await fetch(`${inFolder}/`)).status).toBe(200);
      expect((await fetch(inFolder, { redirect: 'manual' })).headers.get('location')).toBe(url);
      expect((await visitPreview(`${url}no-such`)).status).toBe(404);
      expect((await visitPreview(`${url}files/x`)).text).toBe('no such page');
      await worker.shell(taskId, 'pkill -f server.js; true');
      const gone = await visitPreview(url, { headers: { accept: 'text/html', 'accept-language': 'de' } });
      expect([gone.status, gone.text]).toEqual([503, expect.stringContaining('antwortet kein Server')]);
      await worker.resources.get(taskId)?.close();
      expect((await visitPreview(url)).status).toBe(503);
      expect((await listAs(api.owner.accountId)).data).toEqual([]);
    });

    it('are the owner’s alone, and of one task and one port', async () => {
      await worker.serve(taskId);
      const stranger = await addOwner(store.database);
      expect((await listAs(stranger.accountId)).status).toBe(404);
      const url = await urlOf();
      const name = new URL(url).hostname.split('.', 1)[0] ?? '';
      for (let at = 0; at < name.length; at += 1) {
        const forged = name.slice(0, at) + (name[at] === '0' ? '1' : '0') + name.slice(at + 1);
        expect([at, (await visitPreview(url.replace(name, forged))).status]).toEqual([at, 403]);
      }
      for (const wrong of ['x', name.slice(1), `${name}0`, name.toUpperCase()]) {
        expect([wrong, (await fetch(`${api.http.contentUrl()}/previews/${wrong}/`)).status]).toEqual([wrong, 403]);
      }
      // The server of another task, at the same port, is another one.
      const other = (await api.call('task.create', { message: { content: 'y' } }, { key: stranger.key })).body.task_id as string;
      await worker.serve(other, hostileServer.replace('Hello', 'Other'));
      const theirs = (await listAs(stranger.accountId, other)).data[0]?.url ?? '';
      expect([(await visitPreview(url)).text, (await visitPreview(theirs)).text]).toEqual([
        '<h1>Hello from the sandbox</h1>',
        '<h1>Other from the sandbox</h1>',
      ]);
      expect((await api.fetch(`/v2/task.listPreviews?task_id=${taskId}`)).status).toBe(404);
      await api.call('task.stop', { task_id: taskId });
      expect((await listAs(api.owner.accountId)).data).toEqual([]);
    });

    it('carry no credential in, and let nothing out that a page of strangers could use', async () => {
      await worker.serve(taskId);
      const sent = {
        cookie: 'errand_session=s',
        authorization: 'Bearer t',
        'x-service-api-key': 'k',
        origin: 'null',
        referer: 'x',
        'x-requested-with': 'fetch',
      };
      const { text } = await visit('/echo?a=%20b', {
        method: 'POST',
        headers: { ...sent, 'content-type': 'text/x' },
        body: 'body',
      });
      const received = JSON.parse(text) as { headers: Record<string, string> };
      expect(received).toMatchObject({ method: 'POST', url: '/echo?a=%20b', body: 'body' });
      expect(received.headers).toEqual({
        'accept-encoding': 'identity',
        connection: 'close',
        'content-length': '4',
        'content-type': 'text/x',
        host: 'localhost:3000',
        'x-requested-with': 'fetch',
      });
      const { headers } = await visit('/hostile');
      const known = ['access-control-allow-origin', 'cache-control', 'connection', 'content-security-policy', 'content-type'];
      const more = [
        'cross-origin-resource-policy',
        'date',
        'keep-alive',
        'permissions-policy',
        'referrer-policy',
        'transfer-encoding',
      ];
      const rest = ['x-content-type-options', 'x-dns-prefetch-control', 'x-request-id', 'x-robots-tag'];
      expect(Object.keys(headers).sort()).toEqual([...known, ...more, ...rest]);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain(`default-src ${await urlOf()} data: blob: 'unsafe-inline'`);
      expect(policy).toMatch(/^sandbox allow-scripts(?!.*allow-same-origin|.*allow-popups|.*allow-top)/);
      const password = await visit('/password');
      expect([password.status, password.headers['www-authenticate']]).toEqual([401, undefined]);
      expect((await visit('/x', { method: 'OPTIONS' })).headers['access-control-allow-headers']).toContain('content-type');
    });

    it('lead nowhere else, and end what does not', async () => {
      await worker.serve(taskId);
      const url = await urlOf();
      const to = async (path: string) => [(await visit(path)).status, (await visit(path)).headers.location];
      expect(await to('/away')).toEqual([503, undefined]);
      expect(await to('/near')).toEqual([503, undefined]);
      expect(await to('/slashes')).toEqual([302, `${url}/evil.example/`]);
      expect(await to('/home')).toEqual([302, `${url}echo?x=1`]);
      expect((await visitPreview(await urlOf(3001))).status).toBe(503);
      expect((await visit('/', { headers: { connection: 'upgrade', upgrade: 'websocket' } })).text).toContain('Hello');
      expect((await visit('/large')).text.length).toBe(700_000);
      await expect(visit('/cut')).rejects.toThrow();
      expect((await visit('/endless', { most: 1_000_000 })).text.length).toBeGreaterThanOrEqual(1_000_000);
      expect((await visit('/echo', { method: 'POST', body: 'x'.repeat(600_000) })).status).toBe(413);
      // What is asked beyond sixteen at a time waits; who goes frees what was theirs.
      const silent = Array.from({ length: 16 }, () => new AbortController());
      const asked: string[] = [];
      const end = channel.subscribe(previewTopic(taskId), (message) => asked.push(message));
      const waiting = silent.map(({ signal }) =>
        fetch(`${api.http.contentUrl()}/previews/${new URL(url).hostname.split('.', 1)[0] ?? ''}/silent`, { signal }).catch(
          () => null,
        ),
      );
      await expect.poll(() => asked.filter((message) => message.includes('"ask"')).length).toBe(16);
      const next = visit('/');
      await expect.poll(() => asked.filter((message) => message.includes('"ask"')).length).toBe(17);
      for (const one of silent) one.abort();
      await Promise.all(waiting);
      await expect.poll(() => asked.filter((message) => message.includes('"drop"')).length).toBeGreaterThanOrEqual(16);
      expect((await next).status).toBe(200);
      end();
    });
  });

  it('are seen through another process than that of the worker, over the database', async () => {
    const url = await createDatabase();
    const box = new SealedBox('a secret of the test');
    const near = new PostgresBroadcast(url, box, systemClock);
    const far = new PostgresBroadcast(url, box, systemClock);
    const { PreviewCall } = await import('../../src/api/tasks/previews/preview-call.ts');
    await using worker = new Worker(far);
    try {
      await worker.serve('t1');
      const open = () =>
        new PreviewCall({ channel: near, clock: systemClock, taskId: 't1', signal: new AbortController().signal });
      // What is said before the connections are there is lost.
      await expect.poll(async () => (await open().ask({ kind: 'list' }))?.kind, { timeout: 20_000 }).toBe('ports');
      const call = open();
      const ask = { kind: 'ask', port: 3000, method: 'GET', path: '/large', headers: {}, body: null } as const;
      expect(await call.ask(ask, { kind: 'more', at: 0 })).toMatchObject({ kind: 'head', status: 200 });
      let bytes = 0;
      for (let at = 1; ; at += 1) {
        const piece = (await call.ask({ kind: 'more', at })) as Json & { data: string; isLast: boolean };
        bytes += Buffer.from(piece.data, 'base64').length;
        if (piece.isLast) break;
      }
      expect(bytes).toBe(700_000);
      call.close();
    } finally {
      await worker[Symbol.asyncDispose]();
      await Promise.all([near.close(), far.close()]);
      await dropDatabase(url);
    }
  });
});
