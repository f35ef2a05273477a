import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import type { Config, Environment } from '../config/config.ts';

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean };

/** The process as commands see it; `main` provides it. */
export interface Host {
  env: Environment;
  clock: Clock;
  stdin: Readable;
  stdout: Output;
  stderr: Output;
  nodeVersion: string;
  /** Aborts at the first interrupt (Ctrl-C, SIGTERM). */
  signal: AbortSignal;
}

/** What a command runs in. */
export interface Shell extends Omit<Host, 'env'> {
  config: Config;
}
