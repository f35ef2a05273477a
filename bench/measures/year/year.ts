import type { Measure, Taken } from '../measure.ts';
import { takeRetention } from './retention.ts';
import { compareSpeeds } from './speeds.ts';
import { subtractSizes } from './store-size.ts';
import { openYearStore, startSettled, type YearStore } from './year-store.ts';

const tasksOfYear = 3_650_000;
const gigabyte = 1e9;
/** Tables that are named; the others have less. */
const named = 6;

/** What a task leaves in the database and on disk. */
function describeSizes({ sizes, folders: { loose, packed }, ids }: YearStore): Taken[] {
  const grown = subtractSizes(sizes.after, sizes.before);
  const bytes = grown.reduce((sum, [, each]) => sum + each, 0) / ids.length;
  const tables = grown.slice(0, named).map(([name, each]) => `${name} ${Math.round(each / ids.length)}`);
  const size = (entries: number, each: number) =>
    `${entries.toFixed(1)} files and folders; ${((each * tasksOfYear) / gigabyte).toFixed(0)} GB and ${((entries * tasksOfYear) / 1e6).toFixed(1)} million a year`;
  return [
    {
      name: 'a year: rows of a task',
      value: bytes / 1000,
      unit: 'KB',
      note: `of ${ids.length}; ${((bytes * tasksOfYear) / gigabyte).toFixed(1)} GB a year (calculated for 10,000 a day); bytes: ${tables.join(', ')}`,
    },
    { name: 'a year: workspace of a task', value: loose.bytes / 1000, unit: 'KB', note: size(loose.entries, loose.bytes) },
    {
      name: 'a year: workspace of a packed task',
      value: packed.bytes / 1000,
      unit: 'KB',
      note: size(packed.entries, packed.bytes),
    },
  ];
}

export const year: Measure = {
  name: 'year',
  about: 'a store with the tasks of a year (--tasks N): what they take, and requests as multiples of those with few tasks',
  async take(bed) {
    const { yearTasks, yearExpired, yearCreates, yearReads, yearSearches, yearSettleMs: settleMs, rounds, starts } = bed.sizes;
    const [fewTasks, allTasks] = yearTasks;
    await using few = await openYearStore(bed, fewTasks);
    await using full = await openYearStore(bed, allTasks);
    for (const store of [few, full]) await startSettled(store, settleMs);
    const speeds = await compareSpeeds(few, full, {
      rounds,
      starts,
      creates: yearCreates,
      reads: yearReads,
      searches: yearSearches,
    });
    await few.service.kill();
    return [...describeSizes(full), ...speeds, ...(await takeRetention(full, yearExpired, settleMs))];
  },
};
