import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoreOperation } from '../../src/store/db/store-operation.ts';
import { proveWrite } from '../../src/store/instance/instance-values.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { createMigratedDatabase, dropDatabase } from '../support/db/postgres.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { eventually } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';

describeStores('readiness', (store) => {
  /** From now on the database can be read, but no write ends. */
  async function blockWrites(): Promise<void> {
    if (store.engine === 'sqlite') return void (await store.query('BEGIN IMMEDIATE'));
    await store.query('BEGIN');
    await store.query('LOCK TABLE instance IN SHARE MODE');
  }

  it('ends while the database can be read but not written, and returns with the first write', async () => {
    const clock = new TestClock(Date.now());
    let written = Promise.withResolvers<void>();
    const watched = new Proxy(store.database, {
      get(database, property) {
        if (property !== 'run') return Reflect.get(database, property) as unknown;
        return (operation: { name: string }, args: unknown) => {
          if (operation.name === proveWrite.name) written.resolve();
          return database.run(operation as StoreOperation<unknown, unknown>, args);
        };
      },
    });
    await using api = await ApiUnderTest.start(watched, { clock });
    const ready = () => api.fetch('/readyz', {}, { key: null });
    expect((await ready()).status).toBe(200);
    await blockWrites();
    // What was proven a moment ago is not proven again for every caller.
    expect((await ready()).status).toBe(200);
    await clock.advance(1000);
    written = Promise.withResolvers();
    const asked = ready();
    await written.promise;
    await clock.advance(2000);
    const answer = await asked;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable', message: 'The database accepts no writes.' } });
    await store.query('ROLLBACK');
    expect((await ready()).status).toBe(200);
  });
});

it.each(['sqlite', 'postgres'])('on %s, readiness ends while the data folder takes no files', async (engine) => {
  const databaseUrl = engine === 'postgres' ? await createMigratedDatabase() : null;
  const service = await LocalService.start({ env: { ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }) } });
  const answer = async () => {
    const response = await fetch(`${service.url}/readyz`);
    return { status: response.status, text: await response.text() };
  };
  expect((await answer()).status).toBe(200);
  // Where the proof would be written is a folder: like a full disk, it takes no bytes.
  const obstacle = join(service.dataDir, 'write-proof');
  mkdirSync(obstacle);
  const refused = await eventually('readiness to end', async () => {
    const found = await answer();
    return found.status === 200 ? null : found;
  });
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('The data folder takes no files.')]);
  rmdirSync(obstacle);
  await eventually('readiness to return', async () => ((await answer()).status === 200 ? true : null));
  await service.end();
  if (databaseUrl !== null) await dropDatabase(databaseUrl);
});
