import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { createDatabase, dropDatabase } from '../../../../test/support/db/postgres.ts';
import { taskKey } from '@errand/base/signals/hints.ts';
import { PostgresHints, PostgresNeighbors } from './postgres-hints.ts';

describe('the processes on a database', () => {
  it('count as several until this one has received nothing of others for a quarter of a minute', async () => {
    const clock = new TestClock();
    const neighbors = new PostgresNeighbors(clock);
    expect(neighbors.isAlone).toBe(false);
    await clock.advance(15_001);
    expect(neighbors.isAlone).toBe(true);
    expect(neighbors.note('b')).toBe(true);
    expect(neighbors.isAlone).toBe(false);
    await clock.advance(10_000);
    expect(neighbors.note('b')).toBe(false);
    await clock.advance(15_000);
    expect(neighbors.isAlone).toBe(false);
    await clock.advance(1);
    expect(neighbors.isAlone).toBe(true);
    expect(neighbors.note('b')).toBe(true);
  });
});

describe('hints', () => {
  let url = '';
  beforeAll(async () => {
    url = await createDatabase();
  });
  afterAll(() => dropDatabase(url));

  it('are sent to a process that begins after another has been alone', { timeout: 300_000 }, async () => {
    const clock = new TestClock();
    const first = new PostgresHints(url, clock);
    first.open();
    await clock.advance(20_000);
    expect(first.isAlone).toBe(true);
    const second = new PostgresHints(url, clock);
    let isHinted = false;
    second.subscribe(taskKey('t1'), () => (isHinted = true));
    second.open();
    const patience = { timeout: 120_000 };
    // A connection that is late is opened again after a while.
    const advance = () => clock.advance(500);
    await expect.poll(async () => (await advance(), first.isAlone), patience).toBe(false);
    await expect
      .poll(async () => (first.publish({ topic: 'task', taskId: 't1' }), await advance(), isHinted), patience)
      .toBe(true);
    await Promise.all([first.close(), second.close()]);
  });
});
