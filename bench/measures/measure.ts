import type { Figure } from '../report/figure.ts';
import type { TestBed } from '../service/test-bed.ts';

export type Taken = Omit<Figure, 'database'>;

/** One thing to measure, on one kind of database at a time. */
export interface Measure {
  /** How it is asked for on the command line. */
  name: string;
  /** One sentence. */
  about: string;
  take(bed: TestBed): Promise<Taken[]>;
}
