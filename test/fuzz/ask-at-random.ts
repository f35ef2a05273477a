import fc from 'fast-check';
import { expect } from 'vitest';
import type { OpenStore } from '../support/db/databases.ts';
import type { CrashRun } from '../support/process/crash-run.ts';
import { ask, type Seen, type World } from './asking.ts';
import { canary } from './hostile-values.ts';
import type { Input, Published } from './published-api.ts';
import { findStored } from './stored-text.ts';

const nothing: Input = { path: {}, query: {}, body: null, idempotencyKey: null };

interface Asked {
  store: OpenStore;
  world: World;
  published: readonly Published[];
  seen: Seen;
}

/** Asks operations at random, in as many rounds as the run has. Requests that are all refused would show nothing: a fifth is granted. */
export async function askAtRandom(run: CrashRun, { store, world, published, seen }: Asked): Promise<void> {
  const request = fc
    .nat(published.length - 1)
    .chain((index) => fc.tuple(fc.constant(index), published[index]?.input ?? fc.constant(nothing)));
  const property = fc.asyncProperty(request, async ([index, input]) => {
    const operation = published[index];
    if (operation) expect(await ask(world, operation, input, seen)).toBeNull();
  });
  await fc.assert(property, { numRuns: run.rounds, seed: run.seed | 0 });
  const granted = [...seen.granted.values()].reduce((sum, count) => sum + count, 0);
  run.measure({ asked: seen.count, granted, operations: published.length });
  expect(seen.ids.size).toBe(seen.count);
  // The record of requests has them as they were sent.
  expect((await findStored(store, canary)).filter((column) => !column.startsWith('api_requests.'))).toEqual([]);
  expect(granted).toBeGreaterThan(seen.count / 5);
}
