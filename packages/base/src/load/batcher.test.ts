import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Batcher, type Outcome } from './batcher.ts';

interface Job {
  id: number;
  keys: readonly string[];
  /** How its batch ends: `fails` alone, or `breaks` the whole batch. */
  fate: 'ends' | 'fails' | 'breaks';
}

interface Flight {
  jobs: readonly Job[];
  lane: number;
  land(): void;
}

/** A batcher whose flushes end when the test says so. */
function openBatcher(options: { lanes: number; maxBatch: number }) {
  const flights: Flight[] = [];
  const order: Job[] = [];
  const batcher = new Batcher<Job, number>({
    ...options,
    keysOf: ({ keys }) => keys,
    flush: (jobs, lane) =>
      new Promise((resolve, reject) => {
        order.push(...jobs);
        const land = () => {
          flights.splice(flights.indexOf(flight), 1);
          if (jobs.some(({ fate }) => fate === 'breaks')) return reject(new Error('broken'));
          resolve(
            jobs.map(
              ({ id, fate }): Outcome<number> =>
                fate === 'ends' ? { ok: true, value: id } : { ok: false, error: new Error('failed') },
            ),
          );
        };
        const flight = { jobs, lane, land };
        flights.push(flight);
      }),
  });
  return { batcher, flights, order };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const jobs = fc
  .array(
    fc.record({
      keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 2 }),
      fate: fc.constantFrom('ends' as const, 'ends' as const, 'fails' as const, 'breaks' as const),
      wave: fc.nat({ max: 3 }),
    }),
    { maxLength: 40 },
  )
  .map((list) => list.toSorted((a, b) => a.wave - b.wave).map((job, id) => ({ ...job, id })));

describe('Batcher', () => {
  it('settles every item with its own flush, keeps the order per key and never runs a key twice at once', async () => {
    const schedule = fc.infiniteStream(fc.nat({ max: 7 }));
    const shape = fc.record({ lanes: fc.integer({ min: 1, max: 3 }), maxBatch: fc.integer({ min: 1, max: 6 }) });
    await fc.assert(
      fc.asyncProperty(jobs, schedule, shape, async (list, choices, options) => {
        const { batcher, flights, order } = openBatcher(options);
        const results: Promise<PromiseSettledResult<number>>[] = [];
        const checkFlights = () => {
          expect(flights.length).toBeLessThanOrEqual(options.lanes);
          expect(new Set(flights.map(({ lane }) => lane)).size).toBe(flights.length);
          for (const { jobs: batch } of flights) expect(batch.length).toBeLessThanOrEqual(options.maxBatch);
          const keys = flights.flatMap((flight) => flight.jobs.flatMap((job) => job.keys));
          expect(new Set(keys).size).toBe(keys.length);
        };
        const step = async () => {
          await settle();
          checkFlights();
          flights[(choices.next().value ?? 0) % Math.max(1, flights.length)]?.land();
        };
        for (let wave = 0; wave <= 3; wave += 1) {
          for (const job of list)
            if (job.wave === wave) results.push(Promise.allSettled([batcher.submit(job)]).then(([only]) => only));
          await step();
        }
        for (let left = list.length * 2; left > 0 && order.length + flights.length > 0; left -= 1) await step();
        const settled = await Promise.all(results);
        for (const [index, job] of list.entries()) {
          const result = settled[index];
          if (job.fate === 'fails') expect(result?.status).toBe('rejected');
          if (result?.status === 'fulfilled') expect(result.value).toBe(job.id);
        }
        for (const key of ['a', 'b', 'c', 'd']) {
          const ran = order.filter(({ keys }) => keys.includes(key)).map(({ id }) => id);
          expect(ran).toEqual(ran.toSorted((a, b) => a - b));
        }
        expect(order.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(list.map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  });

  it('combines all submissions of one event loop turn into a batch', async () => {
    const { batcher, flights } = openBatcher({ lanes: 1, maxBatch: 100 });
    const all = Promise.all(Array.from({ length: 10 }, (_, id) => batcher.submit({ id, keys: [], fate: 'ends' })));
    await settle();
    expect(flights.map(({ jobs: batch }) => batch.length)).toEqual([10]);
    flights[0]?.land();
    expect(await all).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('collects submissions during a flush into the next batch', async () => {
    const { batcher, flights } = openBatcher({ lanes: 1, maxBatch: 100 });
    const first = batcher.submit({ id: 0, keys: [], fate: 'ends' });
    await settle();
    const rest = [1, 2, 3].map((id) => batcher.submit({ id, keys: [], fate: 'ends' }));
    await settle();
    expect(flights).toHaveLength(1);
    flights[0]?.land();
    await first;
    await settle();
    expect(flights.map(({ jobs: batch }) => batch.map(({ id }) => id))).toEqual([[1, 2, 3]]);
    flights[0]?.land();
    expect(await Promise.all(rest)).toEqual([1, 2, 3]);
  });

  it('fails only the item that failed', async () => {
    const { batcher, flights } = openBatcher({ lanes: 1, maxBatch: 100 });
    const settled = Promise.allSettled([
      batcher.submit({ id: 1, keys: [], fate: 'ends' }),
      batcher.submit({ id: 2, keys: [], fate: 'fails' }),
      batcher.submit({ id: 3, keys: [], fate: 'ends' }),
    ]);
    await settle();
    flights[0]?.land();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects an item that its flush omitted, and continues', async () => {
    const batcher = new Batcher<number, number>({
      lanes: 1,
      maxBatch: 2,
      keysOf: () => [],
      flush: (items) => Promise.resolve(items.slice(1).map((value) => ({ ok: true, value }))),
    });
    const settled = await Promise.allSettled([batcher.submit(1), batcher.submit(2), batcher.submit(3)]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});
