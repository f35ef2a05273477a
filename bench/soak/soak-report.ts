import { appendFileSync, writeFileSync } from 'node:fs';
import type { Sample } from './sampler.ts';
import type { SoakLoad } from './soak-load.ts';
import { findTrend } from './trend.ts';

type Column = Exclude<keyof Sample, 'minute'>;

/**
 * What each value may grow in the time that counts. A database keeps some of what happened on purpose (the ledger, the list of
 * deliveries, days of requests with a key), so it has a share for each visit.
 */
const tolerances: Readonly<Record<Column, (visits: number) => number>> = {
  rss: () => 20,
  heap: () => 4,
  files: () => 4,
  sockets: () => 6,
  handles: () => 8,
  threads: () => 2,
  processes: () => 4,
  database: (visits) => 1 + (visits * 4) / 1024,
  folder: (visits) => 1 + (visits * 2) / 1024,
  entries: (visits) => 20 + visits / 20,
};

const columns = Object.keys(tolerances) as Column[];
const units: Readonly<Partial<Record<Column, string>>> = { rss: 'MB', heap: 'MB', database: 'MB', folder: 'MB' };

const countedShare = 0.75;

function format(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** Prints the samples as they come, and at the end which of them grow. */
export class SoakReport {
  readonly #samples: Sample[] = [];
  readonly #load: SoakLoad;
  readonly #csvFile: string | null;

  /** @param csvFile where each sample becomes a line; an earlier file is overwritten */
  constructor(load: SoakLoad, csvFile: string | null) {
    this.#load = load;
    this.#csvFile = csvFile;
    const names = ['minute', 'visits', 'failed', ...columns];
    console.log(names.map((name) => name.padStart(10)).join(''));
    if (csvFile) writeFileSync(csvFile, `${names.join(',')}\n`);
  }

  add(sample: Sample): void {
    this.#samples.push(sample);
    const { visitCount, problems } = this.#load;
    const values = [sample.minute, visitCount, problems.length, ...columns.map((column) => sample[column])];
    console.log(values.map((value) => format(value).padStart(10)).join(''));
    if (this.#csvFile) appendFileSync(this.#csvFile, `${values.map(format).join(',')}\n`);
  }

  /** True if nothing grew and no visit failed. */
  conclude(): boolean {
    const { visitCount, problems } = this.#load;
    const visits = visitCount * countedShare;
    const trends = columns.map((column) => {
      const points = this.#samples.map((sample) => ({ minute: sample.minute, value: sample[column] }));
      return { column, ...findTrend(points, tolerances[column](visits)) };
    });
    console.log('');
    for (const { column, verdict, perHour, growth, tolerance } of trends) {
      const unit = units[column] ?? '';
      const numbers = `${format(growth)} ${unit} in the time that counts (tolerance ${format(tolerance)}), ${format(perHour)} ${unit} an hour`;
      console.log(`${column.padEnd(9)} ${verdict.padEnd(9)} ${verdict === 'TOO SHORT' ? '' : numbers}`.trimEnd());
    }
    for (const problem of problems.slice(0, 10)) console.log(`failed: ${problem}`);
    const isGrowing = trends.some(({ verdict }) => verdict === 'GROWING');
    const isMeasured = trends.every(({ verdict }) => verdict !== 'TOO SHORT');
    console.log(
      `\n${isGrowing ? 'GROWING' : isMeasured ? 'FLAT' : 'TOO SHORT'}, ${problems.length} of ${visitCount} visits failed`,
    );
    return isMeasured && !isGrowing && problems.length === 0;
  }
}
