import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadMigrations } from '../../src/store/db/migrations.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { createFolder, removeFolder } from '../support/process/leftovers.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** A migration as the next version may have it: a column in every table, a table, and an index. */
async function describeAdditions(): Promise<string> {
  const texts = (await loadMigrations()).map(({ text }) => text).join('\n');
  const tables = [...texts.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name);
  const columns = tables.map((name) => `ALTER TABLE ${name} ADD COLUMN of_next_version TEXT;`);
  return [...columns, 'CREATE TABLE next_notes (id TEXT PRIMARY KEY);', 'CREATE INDEX next_tasks ON tasks (title);'].join('\n');
}

/** A copy of this program that has one migration more. */
async function makeNextVersion(name: string, text: string): Promise<string> {
  const folder = createFolder('next');
  const number = String((await loadMigrations()).length + 1).padStart(4, '0');
  for (const part of ['dist', 'migrations']) cpSync(join(checkout, part), join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'migrations', `${number}_${name}.sql`), text);
  const linked = ['node_modules', 'package.json', 'skills', 'src', 'packages', 'web'];
  for (const part of readdirSync(checkout).filter((one) => linked.includes(one))) {
    symlinkSync(join(checkout, part), join(folder, part));
  }
  return folder;
}

/** Who answers a request: a process, or what stands before several. */
interface Asked {
  readonly apiKey: string;
  fetch(path: string, init: RequestInit): Promise<Response>;
}

function askOf({ url, apiKey }: ServiceProcess): Asked {
  return { apiKey, fetch: (path, init) => fetch(url + path, init) };
}

/** Sends each request to the process that is in service, as a load balancer does whose operator follows the steps of an upgrade. */
class Balancer implements Asked {
  readonly apiKey: string;
  #current: ServiceProcess;
  readonly #open = new Map<Promise<unknown>, ServiceProcess>();

  constructor(first: ServiceProcess) {
    this.#current = first;
    this.apiKey = first.apiKey;
  }

  async fetch(path: string, init: RequestInit): Promise<Response> {
    const process = this.#current;
    const answer = fetch(process.url + path, init);
    this.#open.set(answer, process);
    return answer.finally(() => this.#open.delete(answer));
  }

  /** From now on requests go to another process; resolves once the earlier ones are answered. */
  async replace(next: ServiceProcess): Promise<void> {
    const earlier = this.#current;
    this.#current = next;
    await Promise.all([...this.#open].flatMap(([answer, process]) => (process === earlier ? [answer] : [])));
  }
}

/** Creates a task and returns its status when its turn is over. */
async function finishTask(asked: ServiceProcess | Asked): Promise<string> {
  const service = asked instanceof ServiceProcess ? askOf(asked) : asked;
  const headers = { 'x-service-api-key': service.apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ message: { content: 'write a.md with Hello' } });
  const created = await service.fetch('/v2/task.create', { method: 'POST', headers, body });
  expect(created.status).toBe(200);
  const { task_id: id } = (await created.json()) as { task_id: string };
  for (;;) {
    const answer = await service.fetch(`/v2/task.detail?task_id=${id}`, { headers });
    expect(answer.status).toBe(200);
    const { task } = (await answer.json()) as { task: { status: string } };
    if (task.status !== 'running') return task.status;
  }
}

describe('an upgrade', () => {
  let next = '';
  beforeAll(async () => {
    next = await makeNextVersion('additions', await describeAdditions());
  });
  afterAll(() => removeFolder(next));
  const program = () => join(next, 'dist/main.js');

  it('of a service with SQLite can be rolled back by one version, without loss', async () => {
    const dataDir = createFolder('upgrade');
    for (const script of [undefined, program(), undefined]) {
      await using service = await ServiceProcess.start({ dataDir, ...(script !== undefined && { script }) });
      expect(await finishTask(service)).toBe('stopped');
      expect((await service.kill('SIGTERM')).code).toBe(0);
    }
    removeFolder(dataDir);
  });

  it('of a cluster goes process by process and back, without a failed request', async () => {
    const url = await createDatabase();
    const env = { ERRAND_DATABASE_URL: url, ERRAND_SECRET: 'secret of the cluster under test' };
    {
      await using before = await ServiceProcess.start({ env });
      const balancer = new Balancer(before);
      const over = new AbortController();
      const load = (async () => {
        let finished = 0;
        for (; !over.signal.aborted; finished++) expect(await finishTask(balancer)).toBe('stopped');
        return finished;
      })();
      // It migrates while the other one serves; tasks of each are done by either.
      await using after = await ServiceProcess.start({ env, script: program() });
      expect(await Promise.all([finishTask(after), finishTask(after)])).toEqual(['stopped', 'stopped']);
      await balancer.replace(after);
      expect((await before.kill('SIGTERM')).code).toBe(0);
      expect(await finishTask(balancer)).toBe('stopped');
      await using again = await ServiceProcess.start({ env });
      expect(await finishTask(again)).toBe('stopped');
      await balancer.replace(again);
      expect((await after.kill('SIGTERM')).code).toBe(0);
      expect(await finishTask(balancer)).toBe('stopped');
      over.abort();
      expect(await load).toBeGreaterThan(0);
    }
    await dropDatabase(url);
  });

  it('that takes something away can not be rolled back beyond the version that its migration names', async () => {
    const tooNew = (await loadMigrations()).length + 1;
    const contracted = await makeNextVersion(
      `drop_titles_needs_${String(tooNew).padStart(4, '0')}`,
      'DROP INDEX tasks_by_share;',
    );
    const dataDir = createFolder('upgrade');
    {
      await using service = await ServiceProcess.start({ dataDir, script: join(contracted, 'dist/main.js') });
      await service.kill('SIGTERM');
    }
    const { code, lines } = await ServiceProcess.startRefused({ dataDir });
    expect(code).toBe(78);
    expect(lines.map(({ text }) => text).join('\n')).toContain(
      `schema version ${tooNew}, which this version of errand does not know`,
    );
    for (const folder of [contracted, dataDir]) removeFolder(folder);
  });

  it('and back leaves tasks whose logs have events that the older version does not know', async () => {
    const dataDir = createFolder('upgrade');
    let id = '';
    const client = (service: ServiceProcess) => new ServiceClient(service);
    {
      await using service = await ServiceProcess.start({ dataDir });
      const message = { content: 'ask Which color?\nsay thanks' };
      id = String((await client(service).ask('task.create', { message, interactive_mode: true })).task_id);
      await eventually('the question', async () => {
        const { task } = (await client(service).ask('task.detail', { task_id: id })) as { task: { status: string } };
        return task.status === 'waiting' ? true : null;
      });
      expect((await service.kill('SIGTERM')).code).toBe(0);
    }
    const database = new DatabaseSync(join(dataDir, 'errand.db'));
    const [account, seq] = Object.values(database.prepare('SELECT account_id, last_seq FROM tasks WHERE id = ?').get(id) ?? {});
    for (const audience of [0, 1, 2]) {
      database
        .prepare('INSERT INTO events (account_id, task_id, seq, at, audience, type, body) VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(String(account), id, Number(seq) + 1 + audience, Date.now(), audience, 'thing_of_next_version', '{"what":1}');
    }
    database.prepare('UPDATE tasks SET last_seq = ? WHERE id = ?').run(Number(seq) + 3, id);
    database.close();
    await using service = await ServiceProcess.start({ dataDir });
    await client(service).ask('task.sendMessage', { task_id: id, message: { content: 'blue' } });
    await eventually('the end', async () => {
      const { task } = (await client(service).ask('task.detail', { task_id: id })) as { task: { status: string } };
      return task.status === 'stopped' ? true : null;
    });
    const { messages } = (await client(service).ask('task.listMessages', { task_id: id, verbose: 'true' })) as {
      messages: { type: string }[];
    };
    expect(messages.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['user_message', 'assistant_message', 'status_update']),
    );
    expect(JSON.stringify(messages)).not.toContain('thing_of_next_version');
    removeFolder(dataDir);
  });
});
