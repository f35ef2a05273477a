import { expect, it } from 'vitest';
import { TaskResources } from '../../tools/toolbox/task-resources.ts';
import { ResourcePool } from './resource-pool.ts';

/** The resources of a task, of which one is open; `closed` resolves when it is closed, which ends once `finish` is called. */
function openOne() {
  const resources = new TaskResources();
  const closed = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  resources.keep('sandbox', () => ({
    list: () => [],
    listKnown: () => [],
    close: () => {
      closed.resolve();
      return finished.promise;
    },
  }));
  return { resources, closed: closed.promise, finish: finished.resolve };
}

it('keeps the resources of so many tasks, and closes those used longest ago', async () => {
  const pool = new ResourcePool(2);
  const [first, second, third] = [openOne(), openOne(), openOne()];
  for (const { resources } of [first, second, first]) {
    await pool.begin(resources);
    pool.end(resources);
  }
  await pool.begin(third.resources);
  pool.end(third.resources);
  await second.closed;
  expect([first, second, third].map(({ resources }) => resources.isEmpty)).toEqual([false, true, false]);
});

it('closes nothing of a task while a call of it runs', async () => {
  const pool = new ResourcePool(1);
  const [working, other] = [openOne(), openOne()];
  await pool.begin(working.resources);
  await pool.begin(working.resources);
  pool.end(working.resources);
  await pool.begin(other.resources);
  pool.end(other.resources);
  await other.closed;
  expect(working.resources.isEmpty).toBe(false);
});

it('lets the next call of a task wait until its resources are closed', async () => {
  const pool = new ResourcePool(1);
  const [first, second] = [openOne(), openOne()];
  for (const { resources } of [first, second]) {
    await pool.begin(resources);
    pool.end(resources);
  }
  await first.closed;
  let hasBegun = false;
  const beginning = pool.begin(first.resources).then(() => (hasBegun = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasBegun).toBe(false);
  first.finish();
  await beginning;
});

it('drops a task whose run is over', async () => {
  const pool = new ResourcePool(1);
  const [over, next] = [openOne(), openOne()];
  await pool.begin(over.resources);
  pool.end(over.resources);
  pool.drop(over.resources);
  await pool.begin(next.resources);
  pool.end(next.resources);
  expect(next.resources.isEmpty).toBe(false);
});
