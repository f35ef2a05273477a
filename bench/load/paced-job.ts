import type { LoadRequest } from './load-job.ts';

/** Requests at a steady pace, however long their replies take. */
export interface PacedJob {
  url: string;
  apiKey: string;
  /** Requests per second of each kind. */
  perSecond: number;
  durationMs: number;
  create: LoadRequest;
  read: LoadRequest;
}

export interface PacedResult {
  /** Milliseconds from when a request was due to its reply. */
  createP50Ms: number;
  createP99Ms: number;
  readP50Ms: number;
  readP99Ms: number;
  /** Replies that did not arrive in time, or were refused. */
  failures: number;
}
