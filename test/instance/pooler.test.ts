import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresServer } from '../support/db/postgres.ts';
import { Pooler } from '../support/db/pooler.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';

const sessions = 4;
const creators = 8;

let server: PostgresServer;
let pooler: Pooler;
let databaseUrl = '';
let strangerUrl = '';

async function onServer<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The URL of a new database with a user of its own, who may do nothing else. */
async function createOwned(name: string): Promise<string> {
  await onServer(server.url, async (client) => {
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'pooled'`);
    await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
  });
  const url = new URL(server.url);
  [url.username, url.password, url.pathname] = [name, 'pooled', `/${name}`];
  return url.href;
}

beforeAll(async () => {
  server = await PostgresServer.start({ isDurable: false });
  [databaseUrl, strangerUrl] = [await createOwned('app'), await createOwned('stranger')];
  pooler = await Pooler.start(databaseUrl, sessions);
});
afterAll(async () => {
  await pooler[Symbol.asyncDispose]();
  await server.stop();
});

function settingsFor(poolUrl: string): Record<string, string> {
  return { ERRAND_DATABASE_URL: databaseUrl, ERRAND_DATABASE_POOL_URL: poolUrl, ERRAND_RATE_LIMITS: 'off' };
}

describe('services behind a pooler in transaction mode', () => {
  it('share its few sessions, and lose no task when one of them is killed', async () => {
    const env = settingsFor(pooler.through(databaseUrl));
    await using one = await ServiceProcess.start({ env });
    await using other = await ServiceProcess.start({ env: { ...env, ERRAND_BOOTSTRAP_KEY: one.apiKey } });
    const acknowledged: string[] = [];
    const over = new AbortController();
    const create = async (client: ServiceClient) => {
      while (!over.signal.aborted) {
        // The connections of the killed one break.
        const taskId = await client.createTask('say done').catch(() => null);
        if (taskId !== null) acknowledged.push(taskId);
        else await new Promise(setImmediate);
      }
    };
    const clients = [new ServiceClient(one), new ServiceClient(other)];
    const creating = clients.flatMap((client) => Array.from({ length: creators }, () => create(client)));
    await eventually('some tasks', () => Promise.resolve(acknowledged.length > 100 ? true : null));
    const used = await pooler.countSessions();
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThanOrEqual(sessions);
    await one.kill('SIGKILL');
    const atKill = acknowledged.length;
    await eventually('more tasks', () => Promise.resolve(acknowledged.length > atKill + 100 ? true : null));
    over.abort();
    await Promise.all(creating);
    const client = new ServiceClient(other);
    const statuses = await eventually('the end of all tasks', async () => {
      const known = await client.listStatuses();
      return [...known.values()].includes('running') ? null : known;
    });
    expect(acknowledged.filter((taskId) => statuses.get(taskId) !== 'stopped')).toEqual([]);
    expect(await other.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('are refused a pooler that leads elsewhere, by the name of the setting', async () => {
    await using stranger = await Pooler.start(strangerUrl, sessions);
    const { code, lines } = await ServiceProcess.startRefused({ env: settingsFor(stranger.through(strangerUrl)) });
    const said = lines.map(({ text }) => text).join('\n');
    expect([code, said]).toEqual([78, expect.stringMatching(/ERRAND_DATABASE_POOL_URL: leads to another database/)]);
  });
});
