import { randomBytes } from 'node:crypto';
import { quantile } from '../report/statistics.ts';
import { query } from '../process/query.ts';

/** What is measured of each. */
export interface PeerFigures {
  name: string;
  /** Answers that a task is stored, while others are carried out; null where nothing stores a task before its end. */
  acceptedPerSecond: number | null;
  tasksPerSecond: number;
  /** Processor time of the processes that take and run the tasks, for one of them; without PostgreSQL's. */
  cpuMsPerTask: number;
  aloneP50Ms: number;
  aloneP99Ms: number;
  /** Into the log of the PostgreSQL server; null where there is none. */
  writtenKbPerTask: number | null;
  /** Time from kill -9 during the second model call to the end of the task, including the start of the new process. */
  recoveredAfterMs: number;
  isRecoveredByItself: boolean;
  toolRuns: number;
}

export interface Together {
  acceptedPerSecond: number | null;
  perSecond: number;
  cpuMs: number;
  bytes: number | null;
}

export interface Crash {
  recoveredMs: number;
  isAutomatic: boolean;
  toolRuns: number;
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

export function summarise(name: string, together: Together, alone: readonly number[], crash: Crash): PeerFigures {
  return {
    name,
    acceptedPerSecond: together.acceptedPerSecond === null ? null : Math.round(together.acceptedPerSecond),
    tasksPerSecond: Math.round(together.perSecond),
    cpuMsPerTask: round(together.cpuMs, 2),
    aloneP50Ms: round(quantile(alone, 0.5)),
    aloneP99Ms: round(quantile(alone, 0.99)),
    writtenKbPerTask: together.bytes === null ? null : round(together.bytes / 1024),
    recoveredAfterMs: Math.round(crash.recoveredMs),
    isRecoveredByItself: crash.isAutomatic,
    toolRuns: crash.toolRuns,
  };
}

/** An empty database, which goes with its server. */
export async function createPeerDatabase(serverUrl: string): Promise<string> {
  const name = `peer_${randomBytes(6).toString('hex')}`;
  await query(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

/** Bytes in the server's log since its beginning. */
export async function readWrittenBytes(url: string): Promise<number> {
  const [row] = await query(url, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes");
  return Number(row?.['bytes']);
}
