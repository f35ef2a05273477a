import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Addresses } from '../../src/store/instance/instance-values.ts';
import { type OpenStore, openStore } from '../support/db/databases.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { EventReader } from '../support/http/sse-reader.ts';
import { someRequestId, someText } from '../support/http/matchers.ts';
import { RawSocket } from '../support/http/raw-socket.ts';
import { findQuietPort } from '../support/service/quiet-port.ts';

type Database = OpenStore['database'];

/** The store, with something that happens before each call of one operation. */
function interfere(database: Database, operation: string, before: (args: unknown) => Promise<void>): Database {
  return {
    hints: database.hints,
    deltas: database.deltas,
    async run(called, args) {
      if (called.name === operation) await before(args);
      return database.run(called, args);
    },
    runOnce: (called, args, key) => database.runOnce(called, args, key),
    close: () => database.close(),
  };
}

/** What a client finds on a port. A program that another test is just starting has a copy of a closed socket until it runs. */
function knock(port: number): Promise<string> {
  return RawSocket.open(port).then(({ socket }) => {
    socket.destroy();
    return 'open';
  }, String);
}

describe('the service', () => {
  let store: OpenStore;
  beforeAll(async () => {
    store = await openStore('sqlite');
  });
  afterAll(() => store.close());

  it('finishes requests in progress when it stops, and closes every other connection', async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const slow = interfere(store.database, 'tasks.list', () => {
      arrived.resolve();
      return gate.promise;
    });
    const api = await ApiUnderTest.start(slow, { settings: { port: await findQuietPort() } });
    const request = `GET /v2/task.list HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${api.owner.key}\r\n\r\n`;
    const [busy, idle, fresh, half] = await Promise.all(Array.from({ length: 4 }, () => RawSocket.open(api.port)));
    if (!busy || !idle || !fresh || !half) throw new Error('no connection');
    idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    expect((await idle.read()).headers.get('connection')).toBe('keep-alive');
    half.write(request.slice(0, -4));
    busy.write(request);
    await arrived.promise;
    const { port } = api;
    const stopped = api.stop();
    await idle.readAll();
    await expect.poll(() => knock(port)).toContain('ECONNREFUSED');
    gate.resolve();
    const answer = await busy.read();
    expect([answer.status, answer.headers.get('connection'), answer.body?.ok]).toEqual([200, 'close', true]);
    await stopped;
    expect(await Promise.all([busy.readAll(), fresh.readAll()])).toEqual(['', '']);
    await half.readAll();
  });

  it('ends streams that are just opening when it stops, and those whose reader has disconnected', async () => {
    const gate = Promise.withResolvers<void>();
    let arrived = Promise.withResolvers<void>();
    const slow = interfere(store.database, 'tasks.get', () => {
      arrived.resolve();
      return gate.promise;
    });
    // Time stands still: were it to wait until it gives up on somebody, it would never stop.
    const api = await ApiUnderTest.start(slow, { clock: new TestClock(Date.now()) });
    const request = `GET /v2/task.stream?task_id=${await api.createTask()} HTTP/1.1\r\nhost: x\r\nx-service-api-key: ${api.owner.key}\r\n\r\n`;
    const [gone, waiting] = [await RawSocket.open(api.port), await RawSocket.open(api.port)];
    gone.write(request);
    await arrived.promise;
    gone.end();
    arrived = Promise.withResolvers<void>();
    waiting.write(request);
    await arrived.promise;
    const stopped = api.stop();
    gate.resolve();
    expect(await waiting.readAll()).toContain('\r\nretry: 1000\n');
    await stopped;
  });

  it('is ready while it runs and can reach its database', async () => {
    let isAway = false;
    const away = () => (isAway ? Promise.reject(new Fault('unavailable', 'gone', { retryAfterS: 1 })) : Promise.resolve());
    const clock = new TestClock(Date.now());
    await using api = await ApiUnderTest.start(interfere(store.database, 'apiKeys.findOwner', away), { clock });
    const ready = () => api.fetch('/readyz', {}, { key: null });
    expect((await ready()).status).toBe(200);
    isAway = true;
    await clock.advance(1000);
    const answer = await ready();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    isAway = false;
    expect((await ready()).status).toBe(200);
  });

  it('is alive but not ready while it starts', async () => {
    const statuses: number[] = [];
    const starting = interfere(store.database, 'instance.noteAddresses', async (noted) => {
      const { baseUrl } = noted as Addresses;
      for (const path of ['/readyz', '/healthz']) statuses.push((await fetch(`${baseUrl}${path}`)).status);
    });
    await using api = await ApiUnderTest.start(starting);
    expect(statuses).toEqual([503, 200]);
    expect((await api.fetch('/readyz')).status).toBe(200);
  });

  it('keeps streams open during a database outage, and resumes when it is back', async () => {
    const clock = new TestClock(Date.now());
    let isAway = false;
    let asked = Promise.withResolvers<void>();
    const away = interfere(store.database, 'apiKeys.findOwner', () => {
      asked.resolve();
      return isAway ? Promise.reject(new Fault('unavailable', 'gone', { retryAfterS: 1 })) : Promise.resolve();
    });
    await using api = await ApiUnderTest.start(away, { clock });
    const task_id = await api.createTask();
    const reader = await EventReader.open(api, { task_id });
    await reader.take(2);
    asked = Promise.withResolvers();
    isAway = true;
    store.database.hints.publish({ topic: 'credentials' });
    for (let round = 0; round < 3; round++) {
      await asked.promise;
      asked = Promise.withResolvers();
      // The next look is soon.
      while ((clock.nextTimerMs ?? Infinity) > 1000) await new Promise(setImmediate);
      await clock.advance(1000);
    }
    isAway = false;
    await api.call('task.stop', { task_id });
    expect((await reader.take(2)).map(({ data }) => data.type)).toEqual(['user_stop', 'status_update']);
    reader.leave();
  });

  it('does not query the database for twenty seconds while streams are quiet, and then once for all of them', async () => {
    const clock = new TestClock(Date.now());
    let looks = 0;
    const looked = Promise.withResolvers<void>();
    const counting = interfere(store.database, 'events.readLastSeqs', () => {
      looks++;
      looked.resolve();
      return Promise.resolve();
    });
    await using api = await ApiUnderTest.start(counting, { clock });
    const task_id = await api.createTask();
    const readers = await Promise.all([task_id, await api.createTask()].map((one) => EventReader.open(api, { task_id: one })));
    for (const reader of readers) await reader.take(2);
    await clock.advance(19_999);
    expect(looks).toBe(0);
    await clock.advance(1);
    await looked.promise;
    expect(looks).toBe(1);
    for (const reader of readers) reader.leave();
  });

  it('answers 503 with Retry-After when the database is unavailable, and 500 without details for defects', async () => {
    let failure: Error = new Fault('unavailable', 'The storage is temporarily unavailable; try again.', {
      detail: 'canary',
      retryAfterS: 1,
    });
    await using api = await ApiUnderTest.start(interfere(store.database, 'tasks.list', () => Promise.reject(failure)));
    const away = await api.call('task.list');
    expect([away.status, away.headers.get('retry-after'), away.body.error.code]).toEqual([503, '1', 'unavailable']);
    failure = new TypeError('canary of undefined');
    const broken = await api.call('task.list');
    expect([broken.status, broken.body.error]).toEqual([
      500,
      { code: 'internal', message: 'Something went wrong inside the service.' },
    ]);
    expect(JSON.stringify([away.body, broken.body])).not.toContain('canary');
  });

  it('reports its version and its models', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const answer = await api.fetch('/healthz', {}, { key: null });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ok: true,
      request_id: someRequestId,
      version: someText(/^\d+\.\d+\.\d+/),
      commit: null,
      models: { 'service-1.6': 'offline/offline-1' },
    });
  });

  it('can be started and stopped concurrently, in any order, and leaves nothing behind', async () => {
    const api = await ApiUnderTest.start(store.database);
    for (let round = 0; round < 5; round++) {
      const calls = Array.from({ length: 50 }, (_, index) =>
        (index * 7 + round) % 3 === 0 ? api.http.stop() : api.http.start(),
      );
      await Promise.all(calls);
    }
    await api.http.start();
    expect((await api.call('task.list')).status).toBe(200);
    const { port } = api;
    await Promise.all([api.stop(), api.stop()]);
    await expect.poll(() => knock(port)).toContain('ECONNREFUSED');
  });

  it('refuses to start on a taken port or a foreign address, with one line that names the setting', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const start = (settings: object) => ApiUnderTest.start(store.database, { settings });
    await expect(start({ port: api.port })).rejects.toThrow(
      new StartFault(`ERRAND_PORT: ${api.port} is in use by another program; choose another port`),
    );
    await expect(start({ host: '192.0.2.1' })).rejects.toThrow(/^ERRAND_HOST: 192\.0\.2\.1 is not an address of this machine$/);
    const controlSocket = `/nowhere/${'x'.repeat(10)}/control.sock`;
    await expect(start({ controlSocket })).rejects.toThrow(/^ERRAND_DATA_DIR: cannot listen on/);
  });
});
