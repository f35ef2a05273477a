import type { DatabaseKind } from '../report/figure.ts';
import type { Work } from './ceiling-work.ts';

export interface CeilingJob {
  kind: DatabaseKind;
  /** An empty folder, or the URL of an empty PostgreSQL database. */
  target: string;
  work: Work;
  warmup: number;
  count: number;
}
