import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { createTasks, sampleTask, tasksOfA1 } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { systemClock } from '@errand/base/clock.ts';
import { claimTasks } from '../tasks/claims/task-claims.ts';
import { listTasks } from '../tasks/task-list.ts';
import { createTask, getTask } from '../tasks/tasks.ts';
import { openSqlite } from '../sqlite-open.ts';

const everything = { ...tasksOfA1, limit: 1000 };

describe('the embedded store', () => {
  it('has on disk what it has acknowledged', async () => {
    const folder = createFolder('data');
    const database = await openSqlite(folder, systemClock);
    const ids = await createTasks(database, 'a1', 300);
    // Not closed first: the rest sees only what a reader of the files would see.
    const reader = new DatabaseSync(`${folder}/errand.db`, { readOnly: true });
    expect(
      reader
        .prepare('SELECT id FROM tasks ORDER BY id')
        .all()
        .map((row) => row.id),
    ).toEqual(ids.toSorted());
    expect(Object.values(reader.prepare('PRAGMA journal_mode').get() ?? {})).toEqual(['wal']);
    reader.close();
    await database.close();
  });

  it('takes the time from its caller', async () => {
    const clock = new TestClock();
    const database = await openSqlite(createFolder('data'), clock);
    await createTasks(database, 'a1', 1);
    const claim = { workerId: 'w', slots: 9, held: [], afterAccount: '', canTakeQuarantined: true, isIdle: true };
    expect((await database.run(claimTasks, { ...claim, ttlMs: 1000 })).tasks).toHaveLength(1);
    await clock.advance(999);
    expect((await database.run(claimTasks, { ...claim, ttlMs: 1000 })).tasks).toHaveLength(0);
    await clock.advance(1);
    expect((await database.run(claimTasks, { ...claim, ttlMs: 1000 })).tasks).toHaveLength(1);
    await database.close();
  });

  it('shows a write to every read requested after its acknowledgment', async () => {
    const database = await openSqlite(createFolder('data'), systemClock);
    for (let count = 0; count < 50; count += 1) {
      const sample = sampleTask('a1');
      await Promise.all([
        database.run(createTask, sample).then(() => database.run(getTask, sample)),
        database.run(listTasks, everything),
      ]);
    }
    expect(await database.run(listTasks, everything)).toHaveLength(50);
    await database.close();
  });

  it('answers requests made before it was closed, and 503 after that', async () => {
    const folder = createFolder('data');
    const database = await openSqlite(folder, systemClock);
    const asked = createTasks(database, 'a1', 20);
    await new Promise((resolve) => setImmediate(resolve));
    const closing = database.close();
    await asked;
    await closing;
    await expect(database.run(listTasks, everything)).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 1 });
    const again = await openSqlite(folder, systemClock);
    expect(await again.run(listTasks, everything)).toHaveLength(20);
    await again.close();
  });

  it('can be copied while it runs', async () => {
    const source = createFolder('data');
    const running = await openSqlite(source, systemClock);
    await createTasks(running, 'a1', 10);
    const copy = createFolder('data');
    const writing = createTasks(running, 'a1', 100);
    const backup = new DatabaseSync(`${source}/errand.db`);
    backup.exec(`VACUUM INTO '${copy}/errand.db'`);
    backup.close();
    await writing;
    const restored = await openSqlite(copy, systemClock);
    expect((await restored.run(listTasks, everything)).length).toBeGreaterThanOrEqual(10);
    await Promise.all([running.close(), restored.close()]);
  });

  it('reports an operation it does not know as a defect', async () => {
    const database = await openSqlite(createFolder('data'), systemClock);
    await expect(database.run({ ...listTasks, name: 'tasks.unknown' }, everything)).rejects.toMatchObject({ code: 'internal' });
    await database.close();
  });
});
