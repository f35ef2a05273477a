import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { eventually, ServiceClient } from '../support/service/service-client.ts';
import { type ServiceOptions, ServiceProcess } from '../support/service/supervisor.ts';

const count = 3;
const creators = 12;

let databaseUrl = '';
beforeAll(async () => {
  databaseUrl = await createDatabase();
});
afterAll(() => dropDatabase(databaseUrl));

function start(options: ServiceOptions = {}): Promise<ServiceProcess> {
  const env = { ERRAND_DATABASE_URL: databaseUrl, ERRAND_RATE_LIMITS: 'off' };
  return ServiceProcess.start({ args: ['--processes', String(count)], ...options, env: { ...env, ...options.env } });
}

function listChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    // A process that nobody has waited for is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('several processes of a service', () => {
  it('answer on one port, come back when they are killed, and lose nothing that was acknowledged', async () => {
    await using service = await start();
    const client = new ServiceClient(service);
    const before = listChildren(service.pid);
    expect(before).toHaveLength(count);
    expect(service.lines.filter(({ text }) => text.includes('"msg":"ready"'))).toHaveLength(1);

    const acknowledged: string[] = [];
    const over = new AbortController();
    const create = async () => {
      while (!over.signal.aborted) {
        // The connections of a killed process break.
        const taskId = await client.createTask('say done').catch(() => null);
        if (taskId !== null) acknowledged.push(taskId);
      }
    };
    const creating = Array.from({ length: creators }, create);
    await eventually('some tasks', () => Promise.resolve(acknowledged.length > creators ? true : null));
    const [victim = 0] = before;
    process.kill(victim, 'SIGKILL');
    const atKill = acknowledged.length;
    await service.waitForLog(({ msg }) => msg === 'a process of the service ended; it is started again');
    await eventually('all processes', () => Promise.resolve(listChildren(service.pid).length === count ? true : null));
    await eventually('more tasks', () => Promise.resolve(acknowledged.length > atKill + creators ? true : null));
    over.abort();
    await Promise.all(creating);
    const statuses = await eventually('the end of all tasks', async () => {
      const known = await client.listStatuses();
      return [...known.values()].includes('running') ? null : known;
    });
    expect(acknowledged.filter((taskId) => statuses.get(taskId) !== 'stopped')).toEqual([]);
    expect(listChildren(service.pid)).not.toContain(victim);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('end when their supervisor is killed', async () => {
    await using service = await start();
    const children = listChildren(service.pid);
    expect(children).toHaveLength(count);
    await service.kill('SIGKILL');
    await eventually('the end of all processes', () => Promise.resolve(children.some(isAlive) ? null : true));
  });

  it('answer for monitoring on a port each', async () => {
    await using service = await start({ env: { ERRAND_MONITORING_PORT: '0' } });
    const { monitoring_urls: urls } = await service.waitForLog(({ msg }) => msg === 'ready');
    expect(new Set(urls as string[]).size).toBe(count);
    for (const url of urls as string[]) {
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('errand_worker_tasks');
    }
  });

  it('end with the code of one that cannot start', async () => {
    const env = { ERRAND_DATABASE_URL: databaseUrl.replace(/\/[^/]*$/, '/no_such_database'), ERRAND_LOG: 'warn' };
    const { code } = await ServiceProcess.startRefused({ args: ['--processes', '2'], env });
    expect(code).toBe(78);
  });

  it('are refused with the embedded database, and in numbers that make no sense', async () => {
    const embedded = await ServiceProcess.startRefused({ args: ['--processes', '2'] });
    expect(embedded.code).toBe(78);
    expect(embedded.lines.map(({ text }) => text).join('\n')).toContain('set ERRAND_DATABASE_URL to use PostgreSQL');
    for (const wrong of ['0', 'many', '65']) {
      const refused = await ServiceProcess.startRefused({ args: ['--processes', wrong] });
      expect(refused.code).toBe(64);
      expect(refused.lines.map(({ text }) => text).join('\n')).toContain('--processes must be a number from 1 to 64');
    }
  });
});
