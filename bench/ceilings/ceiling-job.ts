import type { DatabaseKind } from '../figure.ts';
import type { Work } from './work.ts';

export interface CeilingJob {
  kind: DatabaseKind;
  /** An empty folder, or the URL of an empty PostgreSQL database. */
  target: string;
  work: Work;
  warmup: number;
  count: number;
}
