import { expect, it } from 'vitest';
import { HeldThings } from '../../tools/toolbox/held-things.ts';
import { KeptThings } from './kept-things.ts';

/** The things of a task, of which one is kept; `closed` resolves when it is closed, which ends once `finish` is called. */
function keepOne() {
  const held = new HeldThings();
  const closed = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  held.keep('sandbox', () => ({
    list: () => [],
    listKnown: () => [],
    close: () => {
      closed.resolve();
      return finished.promise;
    },
  }));
  return { held, closed: closed.promise, finish: finished.resolve };
}

it('keeps the things of so many tasks, and closes those used longest ago', async () => {
  const kept = new KeptThings(2);
  const [first, second, third] = [keepOne(), keepOne(), keepOne()];
  for (const { held } of [first, second, first]) {
    await kept.begin(held);
    kept.end(held);
  }
  await kept.begin(third.held);
  kept.end(third.held);
  await second.closed;
  expect([first, second, third].map(({ held }) => held.isEmpty)).toEqual([false, true, false]);
});

it('closes nothing of a task while a call of it runs', async () => {
  const kept = new KeptThings(1);
  const [working, other] = [keepOne(), keepOne()];
  await kept.begin(working.held);
  await kept.begin(working.held);
  kept.end(working.held);
  await kept.begin(other.held);
  kept.end(other.held);
  await other.closed;
  expect(working.held.isEmpty).toBe(false);
});

it('lets the next call of a task wait until its things are closed', async () => {
  const kept = new KeptThings(1);
  const [first, second] = [keepOne(), keepOne()];
  for (const { held } of [first, second]) {
    await kept.begin(held);
    kept.end(held);
  }
  await first.closed;
  let hasBegun = false;
  const beginning = kept.begin(first.held).then(() => (hasBegun = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasBegun).toBe(false);
  first.finish();
  await beginning;
});

it('drops a task whose run is over', async () => {
  const kept = new KeptThings(1);
  const [over, next] = [keepOne(), keepOne()];
  await kept.begin(over.held);
  kept.end(over.held);
  kept.drop(over.held);
  await kept.begin(next.held);
  kept.end(next.held);
  expect(next.held.isEmpty).toBe(false);
});
