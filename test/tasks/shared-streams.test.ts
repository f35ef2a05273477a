import { expect, it } from 'vitest';
import { newApiKey, newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { createApiKey, revokeApiKey } from '../../src/store/accounts/api-keys.ts';
import type { Database } from '../../src/store/db/database.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { EventReader } from '../support/http/sse-reader.ts';

const readerCount = 40;

/** A database that notes the names of the operations that run. */
function recordOperations(database: Database, names: string[]): Database {
  return {
    run(operation, args) {
      names.push(operation.name);
      return database.run(operation, args);
    },
    runOnce: (operation, args, key) => database.runOnce(operation, args, key),
    close: () => database.close(),
    deltas: database.deltas,
    hints: database.hints,
  };
}

describeStores('many streams of one task', (store) => {
  it('read an event from the database once, however many readers receive it', async () => {
    const names: string[] = [];
    await using api = await ApiUnderTest.start(recordOperations(store.database, names));
    const task_id = await api.createTask();
    const readers = await Promise.all(Array.from({ length: readerCount }, () => EventReader.open(api, { task_id })));
    await Promise.all(readers.map((reader) => reader.take(2)));
    names.length = 0;
    await api.call('task.stop', { task_id });
    const received = await Promise.all(readers.map((reader) => reader.take(2)));
    const [first] = received;
    expect(first?.map(({ data }) => data.type)).toEqual(['user_stop', 'status_update']);
    for (const events of received) expect(events).toEqual(first);
    // A hint of the database may arrive twice, from this process and back from the server.
    const reads = names.filter((name) => name === 'events.readShownPage');
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(2);
    expect(names.filter((name) => name === 'tasks.get').length).toBeLessThanOrEqual(2);
    for (const reader of readers) reader.leave();
  });

  it('end only for the readers whose key is revoked', async () => {
    await using api = await ApiUnderTest.start(store.database);
    const task_id = await api.createTask();
    const [keyId, key, now] = [newId(Date.now()), newApiKey(), Date.now()];
    const { accountId } = api.owner;
    const digest = digestSecret(key);
    await store.database.run(createApiKey, { accountId, keyId, name: 'second', digest, tail: key.slice(-4), now });
    const stays = await EventReader.open(api, { task_id });
    const ends = await EventReader.open(api, { task_id }, { key });
    await Promise.all([stays.take(2), ends.take(2)]);
    await store.database.run(revokeApiKey, { accountId, keyId, now });
    expect(await ends.rest()).toEqual([]);
    await api.call('task.stop', { task_id });
    expect(await stays.take(2)).toHaveLength(2);
    stays.leave();
  });
});
